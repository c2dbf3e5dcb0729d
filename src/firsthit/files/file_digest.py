"""The sha256 of a file, computed on a second thread while the file is read for another purpose."""

from __future__ import annotations

import hashlib
import threading

from firsthit.files.blocks import Blocks

__all__ = ["FileDigest"]


class FileDigest:
    """The digest of an input's own bytes; it starts at once and reads the input for itself.

    >>> FileDigest(Blocks.of_bytes(b"abc")).hexdigest()[:8]
    'ba7816bf'
    """

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._hash = hashlib.sha256()
        self._stopped = False
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._compute, daemon=True)
        self._thread.start()

    def hexdigest(self) -> str:
        """The digest, once it is known."""
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        return self._hash.hexdigest()

    def stop(self) -> None:
        """Give up."""
        self._stopped = True
        self._thread.join()

    def _compute(self) -> None:
        try:
            for block in self._blocks.raw():
                if self._stopped:
                    return
                self._hash.update(block)
        except BaseException as failure:  # handed to the thread that asks
            self._failure = failure
