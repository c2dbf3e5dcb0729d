"""What labels point at, found among what was retrieved."""
