"""A real browser without a window: what the script of a page does, and how the page looks."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import escape, unescape
from pathlib import Path
from typing import Any

__all__ = ["CHROMIUM", "printed", "screenshot", "tried"]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)

DARK = "--blink-settings=preferredColorScheme=0"

_FRAME = """<!doctype html><meta charset="utf-8"><body style="margin:0">
<iframe style="border:0;width:{width}px;height:{height}px" srcdoc="{page}"></iframe>
<pre hidden>none</pre>
<script>
document.querySelector("iframe").addEventListener("load", (event) => {{
  const view = event.target.contentWindow;
  const page = view.document;
  const press = (key) => {{
    const pressed = new view.KeyboardEvent("keydown", {{ key, bubbles: true }});
    (page.activeElement || page.body).dispatchEvent(pressed);
  }};
  const found = (() => {{ {script} }})();
  document.querySelector("pre").textContent = JSON.stringify(found);
}});
</script>"""


def tried(page: str, script: str, folder: Path, *, width: int = 1200, dark: bool = False) -> Any:
    """What `script` returns: JavaScript that sees `view`, `page` and `press(key)`, run when all is loaded.

    The page is unchanged and runs its own script under its own policy.
    """
    framed = _framed(page, folder, width, 900, script)
    dom = _run(folder, ["--virtual-time-budget=5000", "--dump-dom", framed.as_uri()], dark).decode()
    [found] = re.findall(r"<pre hidden[^>]*>(.*?)</pre>", dom, re.DOTALL)
    return json.loads(unescape(found))


def screenshot(page: str, folder: Path, *, width: int, height: int, dark: bool = False) -> bytes:
    """The page as a PNG, as wide as a phone or a desktop."""
    framed, picture = _framed(page, folder, width, height, "return null"), folder / "shot.png"
    _run(folder, [f"--window-size={width},{height}", f"--screenshot={picture}", framed.as_uri()], dark)
    return picture.read_bytes()


def printed(page: str, folder: Path) -> bytes:
    """The page as a PDF, as it prints."""
    source, pages = folder / "page.html", folder / "page.pdf"
    source.write_text(page, encoding="utf-8")
    _run(folder, ["--no-pdf-header-footer", f"--print-to-pdf={pages}", source.as_uri()], dark=False)
    return pages.read_bytes()


def _framed(page: str, folder: Path, width: int, height: int, script: str) -> Path:
    """A file that shows the page in a frame: a window cannot be made as narrow as a phone."""
    path = folder / "frame.html"
    text = _FRAME.format(width=width, height=height, page=escape(page), script=script)
    path.write_text(text, encoding="utf-8")
    return path


def _run(folder: Path, arguments: list[str], dark: bool) -> bytes:
    assert CHROMIUM is not None
    profile = [f"--user-data-dir={folder / 'profile'}", *([DARK] if dark else [])]
    done = subprocess.run(
        [CHROMIUM, *FLAGS, *profile, *arguments], capture_output=True, check=True, timeout=120
    )
    return done.stdout
