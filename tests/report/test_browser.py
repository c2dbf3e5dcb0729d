"""The pages in a real browser: the script, the keys, narrow screens, dark mode, print."""

from __future__ import annotations

import shlex
import struct
from pathlib import Path

import pytest

from firsthit.comparison.compare import compare
from firsthit.report import evaluation_html, html
from tests.report.browser import CHROMIUM, printed, screenshot, tried
from tests.report.pairs import demo_evaluation, demo_pair, hostile_pair, many_queries

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed"),
]

ROWS = "[...page.querySelectorAll('.queries tbody tr')]"
SHOWN = f"{ROWS}.map((row) => row.cells[0].querySelector('.id').textContent)"


def test_the_script_shows_controls_and_pages_of_queries(tmp_path: Path) -> None:
    script = f"""
      const where = () => page.querySelector(".where").textContent;
      const first = [where(), {SHOWN}.length];
      page.querySelector(".after").click();
      page.querySelector(".after").click();
      return [...first, where(), {SHOWN}.length, page.querySelector(".after").disabled,
        view.getComputedStyle(page.querySelector(".bar")).display];
    """
    assert tried(html(demo_pair()), script, tmp_path) == ["1–25 of 61", 25, "51–61 of 61", 11, True, "flex"]


def test_buttons_words_and_groups_filter_the_queries(tmp_path: Path) -> None:
    script = f"""
      const counted = () => Number(page.querySelector(".where").textContent.split(" of ")[1] || 0);
      const by = {{}};
      for (const button of page.querySelectorAll("button[data-kind]")) {{
        button.click();
        by[button.dataset.kind] = [counted(), Number(button.querySelector("span").textContent)];
      }}
      page.querySelector("button[data-kind=all]").click();
      const select = page.querySelector("select");
      select.value = "topic=privacy";
      select.dispatchEvent(new view.Event("change"));
      const group = counted();
      const input = page.querySelector("input");
      input.value = "Erase EVERYTHING";
      input.dispatchEvent(new view.Event("input"));
      return [by, group, {SHOWN}];
    """
    by, group, found = tried(html(demo_pair()), script, tmp_path)
    assert {"all", "worse", "better", "critical"} <= by.keys()
    assert all(shown == counted for shown, counted in by.values())
    assert group == 3
    assert found == ["q47"]


def test_headings_sort_and_say_so(tmp_path: Path) -> None:
    script = f"""
      const heading = page.querySelectorAll(".queries th")[2];
      const column = () => {ROWS}.map((row) => Number(row.cells[2].dataset.v));
      const states = [];
      for (const _ of [1, 2]) {{
        heading.querySelector("button").click();
        states.push([heading.getAttribute("aria-sort"), column()]);
      }}
      return states;
    """
    (down, falling), (up, rising) = tried(html(demo_pair()), script, tmp_path)
    assert (down, up) == ("descending", "ascending")
    assert falling == sorted(falling, reverse=True)
    assert rising == sorted(rising)
    assert rising[0] < 0 < falling[0]


def test_keys_move_open_and_filter(tmp_path: Path) -> None:
    script = f"""
      press("j");
      press("j");
      const second = page.activeElement.querySelector(".id").textContent;
      press("Enter");
      const opened = page.querySelector("tr.open").textContent;
      press("Enter");
      const closed = page.querySelector("tr.open") === null;
      press("r");
      const signs = new Set({ROWS}.map((row) => row.dataset.s));
      press("a");
      return [second === {SHOWN}[1], opened, closed, [...signs]];
    """
    moved, opened, closed, signs = tried(html(demo_pair()), script, tmp_path)
    assert moved
    assert closed
    assert "bm25" in opened
    assert "dense" in opened
    assert signs == ["-"]


def test_a_key_offers_the_command_that_judges_a_query(tmp_path: Path) -> None:
    script = """
      press("j");
      press("l");
      const dialog = page.querySelector("dialog");
      const words = dialog.querySelector("textarea").value;
      press("r");
      const kept = page.querySelectorAll("dialog").length;
      dialog.close();
      return [words, kept, page.querySelector("button[data-kind=worse]").getAttribute("aria-pressed")];
    """
    found = tried(html(demo_pair()), script, tmp_path)
    assert found == ["firsthit judge next qrels.txt bm25.run dense.run --query=q52", 1, "false"]


def test_an_id_with_blanks_and_quotes_stays_one_word_of_the_command(tmp_path: Path) -> None:
    labels = {"it's q": {"a": 1}}
    pair = compare({"it's q": ["x", "a"]}, {"it's q": ["a"]}, qrels=labels, names=["old", "new"])
    script = 'press("j"); press("l"); return page.querySelector("textarea").value;'
    command = tried(html(pair), script, tmp_path)
    assert shlex.split(command)[-1] == "--query=it's q"


def test_a_query_can_be_copied_as_a_fixture(tmp_path: Path) -> None:
    script = """
      press("j");
      press("Enter");
      const [copy, judge] = page.querySelectorAll("tr.open button");
      copy.click();
      const fixture = page.querySelector("dialog textarea").value;
      page.querySelector("dialog").close();
      judge.click();
      const command = [...page.querySelectorAll("dialog textarea")].at(-1).value;
      return [copy.hidden, JSON.parse(fixture).query_id, command];
    """
    hidden, query_id, command = tried(html(demo_pair()), script, tmp_path)
    assert (hidden, query_id) == (False, "q52")
    assert command.endswith("--query=q52")


@pytest.mark.parametrize("width", [360, 390, 768, 1200])
@pytest.mark.parametrize("name", ["demo", "hostile", "evaluation", "several"])
def test_no_page_is_wider_than_its_screen(name: str, width: int, tmp_path: Path) -> None:
    pages = {
        "demo": lambda: html(demo_pair()),
        "hostile": lambda: html(hostile_pair()),
        "evaluation": lambda: evaluation_html(demo_evaluation()),
        "several": lambda: html([demo_pair(), demo_pair()]),
    }
    script = "return page.documentElement.scrollWidth;"
    assert tried(pages[name](), script, tmp_path, width=width) <= width


def test_words_can_be_read_in_light_and_in_dark(tmp_path: Path) -> None:
    script = """
      const light = (colour) => {
        const [r, g, b] = colour.match(/[0-9.]+/g).map((part) => {
          const share = part / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const paper = light(view.getComputedStyle(page.body).backgroundColor);
      const contrast = (one) => {
        const ink = light(view.getComputedStyle(one).color);
        return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
      };
      const words = "h1, p, td, th, .gain, .loss, .star, figcaption, summary";
      return [paper, Math.min(...[...page.querySelectorAll(words)].map(contrast))];
    """
    page = html(demo_pair())
    paper, lowest = tried(page, script, tmp_path)
    night, lowest_at_night = tried(page, script, tmp_path, dark=True)
    assert night < 0.05
    assert paper > 0.9
    assert min(lowest, lowest_at_night) >= 4.5  # WCAG 2.2, level AA


def test_plots_take_the_colours_of_the_page(tmp_path: Path) -> None:
    script = """
      const bars = [...page.querySelectorAll("svg.plot path[fill^=var]")];
      return [...new Set(bars.map((bar) => view.getComputedStyle(bar).fill))].sort();
    """
    page = html(demo_pair())
    light, dark = tried(page, script, tmp_path), tried(page, script, tmp_path, dark=True)
    assert len(light) >= 2
    assert "rgb(0, 0, 0)" not in light
    assert not set(light) & set(dark)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1200])
def test_pages_have_a_picture_on_each_screen(width: int, dark: bool, tmp_path: Path) -> None:
    picture = screenshot(html(demo_pair()), tmp_path, width=width, height=1600, dark=dark)
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (width, 1600)
    assert len(picture) > 20_000  # an empty page of this size takes 5,000 bytes


def test_pages_print(tmp_path: Path) -> None:
    assert printed(html(demo_pair()), tmp_path).startswith(b"%PDF")


def test_ten_thousand_queries_are_paged_and_searched(tmp_path: Path) -> None:
    script = f"""
      const input = page.querySelector("input");
      const before = page.querySelector(".where").textContent;
      const start = view.performance.now();
      input.value = "query-009998";
      input.dispatchEvent(new view.Event("input"));
      return [before, {SHOWN}, page.querySelectorAll(".more-rows").length, view.performance.now() - start];
    """
    where, shown, folded, milliseconds = tried(html(many_queries(10_000)), script, tmp_path)
    assert where == "1–25 of 10,000"
    assert shown == ["query-009998"]
    assert folded == 0
    assert milliseconds < 2_000
