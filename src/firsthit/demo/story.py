"""The story of the demo: which commands it runs, and one sentence that says what to look at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["CLOSING", "STEPS", "Step", "opening"]


@dataclass(frozen=True)
class Step:
    """One command of the story; `arguments` is what follows `firsthit`, `said` what the output shows.

    `page` is an HTML file that the command writes as well, where what draws its plots is installed.
    """

    said: str
    arguments: tuple[str, ...]
    page: str | None = None

    def command(self, *, pages: bool = True) -> tuple[str, ...]:
        """The arguments, with the page if pages can be made."""
        return self.arguments if self.page is None or not pages else (*self.arguments, "--html", self.page)


def opening(folder: Path) -> tuple[str, ...]:
    """The paragraphs before the first command: what was written, and what the question is."""
    return (
        "Larkmoor Coffee (fictional) sells coffee on the internet. Its help centre has 65 "
        "passages, and customers asked 67 questions; 61 have an answer there. People labelled "
        "which passages answer which question (0: no, 1: in part, 2: yes). Today's search is "
        '"bm25", which matches words; the candidate is "dense", which compares meanings, '
        "roughly. Does dense put the answer higher, and can the labels tell?",
        f"The files are in {folder}. The commands below were run there; you can repeat them.",
    )


BOTH = ("eval", "qrels.txt", "bm25.run", "dense.run", "--queries", "queries.jsonl")

STEPS = (
    Step(
        "Check the files first. Nothing is computed; everything that could spoil a number is said.",
        ("check", "qrels.txt", "bm25.run", "dense.run"),
    ),
    Step(
        "Evaluate both. RR is 1 divided by the rank of the first answer: 1 for rank 1, 0.5 "
        "for rank 2, 0 for none. Two thirds of what dense returns has no label and counts as "
        "wrong; the bounds tell how far that could move each number. They do not overlap: "
        "dense is ahead, whatever is still to be labelled.",
        BOTH,
    ),
    Step(
        "The questions for which dense shows no answer at all. q10 asks when a card is "
        "charged, and bm25 has the answer at rank 3: a better mean can hide a question that "
        "matters.",
        ("eval", "qrels.txt", "dense.run", "--queries", "queries.jsonl", "--list", "miss"),
    ),
    Step(
        "Count only full answers (grade 2), and ask how often one is among the first three.",
        (*BOTH, "-m", "RR(rel=2)@10", "-m", "Success(rel=2)@3", "--format", "markdown"),
    ),
    Step("What does a measure mean, and when is it the wrong one?", ("measures", "RR")),
    Step(
        "Which labels are missing most? Only a document above the first answer can change RR, and these five "
        "narrow the difference of the two systems fastest.",
        ("judge", "next", "qrels.txt", "bm25.run", "dense.run", "--limit", "5"),
    ),
    Step(
        "Is one hit enough? Eleven questions need two passages: a rule and the exception to it. labels.jsonl "
        "holds the same judgments as labels of the words that answer, each with the need it serves. Complete "
        "says how often everything that a question needs is among the first five: less often than the first "
        "hit suggests.",
        (
            *("eval", "labels.jsonl", "bm25.jsonl", "dense.jsonl", "--queries", "queries.jsonl"),
            *(
                "-m",
                "RR@10",
                "-m",
                "Success@5",
                "-m",
                "Coverage@5",
                "-m",
                "Complete@5",
                "--format",
                "markdown",
            ),
        ),
    ),
    Step(
        "Those labels name no passage. So they hold when the documents are cut in another way: into "
        "sentences, into windows of 100 words, not at all.",
        (
            *("eval", "labels.jsonl", "chunks/dense-sentences.run", "chunks/dense-windows.run"),
            *("chunks/dense-documents.run", "--passages", "chunks/passages.jsonl"),
            *("-m", "RR@10", "-m", "Success@1", "--format", "markdown"),
        ),
    ),
    Step(
        "Labels of passages do not. The help centre was indexed again, and every passage has a new id: the "
        "labels are stale, which is no regression. (`firsthit labels carry` moves them.)",
        ("labels", "check", "qrels.txt", "revised/passages.jsonl"),
    ),
    Step(
        "Should dense take bm25's place? The first sentence is the verdict, over the same questions, one by "
        "one. Below stand the questions behind it: what moved the mean, the groups of questions (all too "
        "small for a verdict of their own; three critical questions got worse), and whether the answers "
        "that were written from these passages became right.",
        (
            *(
                "compare",
                "bm25.run",
                "dense.run",
                "--qrels",
                "qrels.txt",
                "--queries",
                "queries.jsonl",
            ),
            *("--groups", "topic", "--answers", "answers-bm25.jsonl", "answers-dense.jsonl"),
        ),
        page="report.html",
    ),
)
"""The commands of the story, in order."""

CLOSING = """
Next, in that folder:

  cd {folder}
  firsthit eval qrels.txt dense.run --per-query        each question
  firsthit eval qrels.txt dense.run --card             all that defines the numbers
  firsthit compare bm25.run dense.run --qrels qrels.txt --per-query
  firsthit eval YOUR_LABELS YOUR_RUN                   and then your own data
"""
