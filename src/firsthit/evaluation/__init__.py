"""From labels and rankings to per-query values, their means, and the card."""
