"""A small collection written for firsthit, and a story told on it: a coffee roaster's help centre.

Two systems answer its customers. `files/` is what `firsthit demo` writes; `build` ranks the passages again.
"""

from firsthit.demo.story import CLOSING, STEPS, Step, opening
from firsthit.demo.writing import FILES, write_files

__all__ = ["CLOSING", "FILES", "STEPS", "Step", "opening", "write_files"]
