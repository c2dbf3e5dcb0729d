"""The saved evaluation: what is kept of each query, written and read back."""
