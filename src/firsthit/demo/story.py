"""The story of the demo: which commands it runs, and one sentence that says what to look at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["CLOSING", "STEPS", "Step", "opening"]


@dataclass(frozen=True)
class Step:
    """One command of the story; `arguments` is what follows `firsthit`, `said` what the output shows."""

    said: str
    arguments: tuple[str, ...]


def opening(folder: Path) -> str:
    """What was written, before the first command."""
    return f"""\
Larkmoor Coffee (fictional) sells coffee on the internet. Its help centre has 65 passages, and customers
asked 67 questions; 61 have an answer there. People labelled which passages answer which question
(0: no, 1: in part, 2: yes). Today's search is "bm25", which matches words; the candidate is "dense",
which compares meanings, roughly. Does dense put the answer higher, and can the labels tell?

The files are in {folder}. The commands below were run there; you can repeat them."""


STEPS = (
    Step(
        "1. Check the files first. Nothing is computed; everything that could spoil a number is said.",
        ("check", "labels.jsonl", "bm25.jsonl", "dense.jsonl"),
    ),
    Step(
        "2. Evaluate both. RR is 1 divided by the rank of the first answer: 1 for rank 1, 0.5 for rank 2,\n"
        "   0 for none. Two thirds of what dense returns has no label and counts as wrong; the bounds tell how far\n"
        "   that could move each number. They do not overlap: dense is ahead, whatever is still to be labelled.",
        ("eval", "labels.jsonl", "bm25.jsonl", "dense.jsonl", "--queries", "queries.jsonl"),
    ),
    Step(
        "3. The questions for which dense shows no answer at all. q10 asks when a card is charged, and bm25\n"
        "   has the answer at rank 3: a better mean can hide a question that matters.",
        ("eval", "labels.jsonl", "dense.jsonl", "--queries", "queries.jsonl", "--list", "miss"),
    ),
    Step(
        "4. Count only full answers (grade 2), and ask how often one is among the first three.",
        (
            *("eval", "labels.jsonl", "bm25.jsonl", "dense.jsonl", "--queries", "queries.jsonl"),
            *("-m", "RR(rel=2)@10", "-m", "Success(rel=2)@3", "--format", "markdown"),
        ),
    ),
    Step(
        "5. The same labels and rankings as TREC text, the field's exchange format, give the same numbers.",
        ("eval", "qrels.txt", "bm25.run", "dense.run", "-m", "RR@10", "--format", "csv"),
    ),
    Step(
        "6. What does a measure mean, and when is it the wrong one?",
        ("measures", "RR"),
    ),
)
"""The commands of the story, in order."""

CLOSING = """
Next, in that folder:

  cd {folder}
  firsthit eval labels.jsonl dense.jsonl --per-query    each question, and the rank of its first answer
  firsthit eval labels.jsonl dense.jsonl --card         everything that defines the numbers
  firsthit eval YOUR_LABELS YOUR_RUN                    and then your own data
"""
