"""The card: everything that defines the numbers of an evaluation."""
