"""Two evaluations paired by query: what changed, by how much, how surely, and a verdict."""
