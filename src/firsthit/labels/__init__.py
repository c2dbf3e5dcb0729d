"""Label files: their schema, whether they fit a corpus, and how they move to another chunking."""

from __future__ import annotations

from firsthit.labels.carry import RULES, Carried, Move, carry
from firsthit.labels.check import LabelCheck, check_labels
from firsthit.labels.rows import LabelFile, LabelRow, read_label_file
from firsthit.labels.schema import Label, label_schema
from firsthit.labels.writing import label_blocks, lost_blocks

__all__ = [
    "RULES",
    "Carried",
    "Label",
    "LabelCheck",
    "LabelFile",
    "LabelRow",
    "Move",
    "carry",
    "check_labels",
    "label_blocks",
    "label_schema",
    "lost_blocks",
    "read_label_file",
]
