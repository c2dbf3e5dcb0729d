"""Which unjudged documents to judge next: those whose labels can change the numbers most come first."""

from firsthit.queue.aims import AIMS
from firsthit.queue.queue import Item, JudgingQueue, judging_queue

__all__ = ["AIMS", "Item", "JudgingQueue", "judging_queue"]
