"""Labels and a run joined: the ranks of the labelled documents, what was seen, and what that means."""
