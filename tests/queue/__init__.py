"""Tests of the judging queue."""
