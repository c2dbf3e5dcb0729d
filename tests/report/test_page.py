"""The pages of comparisons and evaluations: whole, safe, alone in one file, and readable without script."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from firsthit import evaluate
from firsthit.comparison.changes import within
from firsthit.comparison.compare import compare_many
from firsthit.errors import FirsthitError
from firsthit.report import evaluation_html, html
from firsthit.report.charts import (
    MOST_MARKS,
    Plot,
    first_ranks,
    mean_by_cutoff,
    sorted_differences,
    transition_matrix,
)
from firsthit.report.markup import clean
from tests.gate.scenario import compared, decided, labels, ranking
from tests.report.pairs import (
    HOSTILE,
    demo_evaluation,
    demo_pair,
    hostile_evaluation,
    hostile_pair,
    many_queries,
)
from tests.report.reading import Page, read_page

PAGES: dict[str, Callable[[], str]] = {
    "demo": lambda: html(demo_pair()),
    "hostile": lambda: html(hostile_pair()),
    "several": lambda: html([demo_pair(), hostile_pair()]),
    "evaluation": lambda: evaluation_html(demo_evaluation()),
    "hostile evaluation": lambda: evaluation_html(hostile_evaluation()),
}


@pytest.fixture(scope="module", params=PAGES)
def source(request: pytest.FixtureRequest) -> str:
    return PAGES[request.param]()


@pytest.fixture(scope="module")
def page(source: str) -> Page:
    return read_page(source)


def rows(page: Page) -> list[str]:
    """The words of the rows of the table of queries."""
    return [
        one.words
        for one in page.named("tr")
        if "tbody" in one.inside and ("data-s" in one.attributes or "data-c" in one.attributes)
    ]


def test_nothing_is_loaded_from_anywhere(page: Page, source: str) -> None:
    for element in page.elements:
        assert element.name not in {"link", "iframe", "object", "embed", "img", "base", "form"}
        for name, value in element.attributes.items():
            assert name not in {"src", "srcset", "action", "data", "background", "poster"}, element
            if name in {"href", "xlink:href"}:
                assert value.startswith("#"), element
            assert "url(" not in value or re.fullmatch(r"url\(#[\w-]+\)", value), element
    for style in page.named("style"):
        assert "@import" not in style.words
        assert "url(" not in style.words
    assert "fetch(" not in source
    assert "XMLHttpRequest" not in source


def test_the_policy_of_the_page_forbids_requests_and_foreign_scripts(page: Page) -> None:
    [policy] = [one for one in page.named("meta") if "http-equiv" in one.attributes]
    assert "default-src 'none'" in policy.attributes["content"]
    assert re.search(r"script-src 'sha256-[\w+/=]+';", policy.attributes["content"])


def test_ids_texts_and_names_cannot_become_markup(page: Page) -> None:
    [script] = page.named("script")
    assert "alert(1)" not in script.words
    for element in page.elements:
        assert not any(name.startswith("on") for name in element.attributes), element
        assert re.fullmatch(r"[a-z][a-z0-9]*", element.name, re.IGNORECASE), element.name


@pytest.mark.parametrize("name", ["hostile", "hostile evaluation"])
def test_hostile_ids_are_shown_as_they_are_but_for_control_characters(name: str) -> None:
    page = read_page(PAGES[name]())
    shown = " ".join(rows(page))
    for words in HOSTILE:
        assert clean(words) in shown
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", page.words)


def test_names_on_the_axes_stay_as_they_are() -> None:
    page = read_page(html(hostile_pair("v1.2345 #010101", '<b class="x">')))
    [matrix] = [one for one in page.named("svg") if one.attributes.get("aria-label", "").startswith("Matrix")]
    assert "v1.2345 #010101" in matrix.words
    assert '<b class="x">' in matrix.words


def test_every_id_is_there_once_and_every_link_leads_to_one(page: Page) -> None:
    ids = [one.attributes["id"] for one in page.elements if "id" in one.attributes]
    assert len(ids) == len(set(ids))
    links = {one.attributes["href"][1:] for one in page.elements if one.attributes.get("href")}
    assert links <= set(ids)
    details = {one.attributes["data-detail"] for one in page.elements if "data-detail" in one.attributes}
    assert details <= set(ids)


def test_every_query_of_the_comparison_is_a_row_without_script() -> None:
    found = rows(read_page(html(demo_pair())))
    assert len(found) == len(demo_pair().query_ids)
    for query_id in demo_pair().query_ids:
        assert any(words.startswith(query_id) for words in found)


def test_every_query_of_the_evaluation_is_a_row_without_script() -> None:
    found = rows(read_page(evaluation_html(demo_evaluation())))
    assert len(found) == len(demo_evaluation().query_ids)
    for query_id in demo_evaluation().query_ids:
        assert any(words.startswith(query_id) for words in found)


def test_controls_that_need_the_script_are_hidden_without_it(page: Page) -> None:
    buttons = [one for one in page.elements if one.name in {"button", "input", "select"}]
    assert buttons
    hidden = [one for one in page.elements if "hidden" in one.attributes]
    assert {name for one in hidden for name in one.classes} <= {"bar", "pages", "keys"}
    words = "".join(one.words for one in hidden)
    assert all(one.words in words for one in buttons)


def test_the_page_begins_with_the_verdict() -> None:
    page = read_page(html(demo_pair()))
    [heading] = page.named("h1")
    assert heading.words == demo_pair().verdict.sentence
    before = page.words[: page.words.index(heading.words)]
    assert "Better" in before
    assert len(before) < 80


def test_the_parts_of_the_page_are_there_in_order() -> None:
    found = [one.words for one in read_page(html(demo_pair())).named("h2")]
    assert found[:7] == [
        "What is compared",
        "Means",
        "Groups",
        "Answers",
        "Plots",
        "Queries",
        "Queries in detail",
    ]
    assert found[-1] == "What defines the numbers"


def test_the_evaluation_page_says_its_mean_first() -> None:
    [heading] = read_page(evaluation_html(demo_evaluation())).named("h1")
    assert "bm25: MRR@10 is 0.6" in heading.words


def test_several_comparisons_make_one_page_with_a_summary() -> None:
    runs = [ranking([3] * 40), ranking([1] * 40), ranking([2] * 40)]
    found = compare_many(
        runs[0], runs[1:], qrels=labels(40), measures=["RR@10"], names=["old", "one", "other"]
    )
    page = read_page(html(found))
    assert [one.words for one in page.named("h1")] == ["2 versions against old"]
    assert len(page.named("article")) == 2
    assert len(rows(page)) == 80


def test_the_gate_is_shown_with_its_failing_rules_first(tmp_path: Path) -> None:
    comparison = compared([1] * 40, [1] * 30 + [2] * 10)
    result = decided('max_absent = 0.0\n[[gate.floor]]\nmeasure = "RR@10"\nmin = 0.99', comparison, tmp_path)
    page = read_page(html(comparison, result))
    [box] = [one for one in page.named("section") if "box" in one.classes]
    assert "fail" in box.classes
    assert box.words.startswith(result.sentence)
    statuses = [one.words for one in page.named("span") if "status" in one.classes]
    assert statuses == ["fail", "pass", "pass"]


def test_every_plot_has_a_text_alternative_and_its_data_as_a_table(page: Page) -> None:
    figures = page.named("figure")
    drawings = [one for one in page.named("svg") if "plot" in one.classes]
    assert len(figures) == len(drawings) >= 2
    for drawing in drawings:
        assert drawing.attributes["role"] == "img"
        assert len(drawing.attributes["aria-label"]) > 20
    tables = [one for one in page.named("table") if "figure" in one.inside]
    assert len(tables) == len(figures)
    for drawing in (one for one in page.named("svg") if "plot" not in one.classes):
        assert drawing.attributes.get("aria-hidden") == "true" or drawing.attributes.get("aria-label"), (
            drawing
        )


def every_plot(queries: int) -> list[Plot]:
    """All plots of a pair of this many queries."""
    found = many_queries(queries)
    sides = [("old", found.first_rank_old), ("new", found.first_rank_new)]
    cut = [within(ranks, 100) for _, ranks in sides]
    return [
        sorted_differences(found.difference),
        transition_matrix(cut[0], cut[1], found.difference, 100, ("old", "new")),
        mean_by_cutoff(sides, 100, 1000),
        first_ranks(sides),
    ]


@pytest.mark.parametrize("queries", [1, 200, 201, 3000])
def test_no_plot_holds_more_than_200_marks(queries: int) -> None:
    for plot in every_plot(queries):
        frame = plot.svg.count('<path d="" display="none"') + 1
        assert plot.svg.count("<path") - frame <= MOST_MARKS, plot.title
        assert len(plot.rows) <= MOST_MARKS, plot.title


def test_bars_of_many_queries_are_means_of_all_of_them() -> None:
    differences = np.linspace(-1, 1, 1001)
    plot = sorted_differences(differences)
    assert len(plot.rows) == 200
    assert plot.rows[0][0] == "1–5"
    assert plot.rows[-1][0].endswith("–1,001")
    assert "500 better, 500 worse, 1 the same" in f"{plot.caption}".replace("queries ", "")


def test_plots_use_the_colours_of_the_page(source: str) -> None:
    for drawing in re.findall(r'<svg class="plot".*?</svg>', source, re.DOTALL):
        assert not re.search(r'(fill|stroke)="(#|rgb|black|white)', drawing)
        assert "var(--" in drawing


def test_equal_comparisons_give_equal_bytes() -> None:
    assert html(hostile_pair()) == html(hostile_pair.__wrapped__())
    assert evaluation_html(hostile_evaluation()) == evaluation_html(hostile_evaluation.__wrapped__())


def test_a_page_made_later_in_a_process_has_the_same_bytes() -> None:
    first = html(demo_pair())
    html(hostile_pair())
    assert html(demo_pair()) == first


def test_ten_thousand_queries_stay_below_five_megabytes_with_every_row() -> None:
    found = many_queries(10_000)
    words = "what does a question of the usual length look like"
    texts = {query_id: f"{words}, {i}?" for i, query_id in enumerate(found.query_ids)}
    source = html(msgspec.structs.replace(found, query_text=texts))
    assert len(source.encode()) < 5_000_000
    assert source.count("<tr data-s=") == 10_000


def test_an_evaluation_of_ten_thousand_queries_stays_below_five_megabytes() -> None:
    ids = [f"query-{i:06}" for i in range(10_000)]
    found = evaluate({one: {"a": 1} for one in ids}, {one: ["b", "a"] for one in ids}, ["RR@10", "nDCG@10"])
    source = evaluation_html(found)
    assert len(source.encode()) < 5_000_000
    assert source.count("<tr data-c=") == 10_000


@pytest.mark.parametrize("missing", ["altair", "vl_convert"])
@pytest.mark.parametrize("make", [lambda: html(demo_pair()), lambda: evaluation_html(demo_evaluation())])
def test_without_the_extra_one_sentence_says_what_to_install(
    missing: str, make: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **options: Any) -> Any:
        if name == missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(FirsthitError) as caught:
        make()
    assert str(caught.value).startswith(f"the plots of a report need {missing}, which is not installed")
    assert caught.value.hint == 'Install it with: pip install "firsthit[report]"'


def test_an_evaluation_of_one_query_that_misses_has_a_page() -> None:
    found = evaluate({"q1": {"a": 1}}, {"q1": ["b"]}, ["RR@10"])
    assert len(rows(read_page(evaluation_html(found)))) == 1


def test_a_comparison_of_one_query_has_a_page() -> None:
    assert len(rows(read_page(html(compared([0], [0]))))) == 1


def test_the_documents_that_suffice_are_counted_and_the_first_are_shown() -> None:
    queries = {f"q{i:02}": {"r": 1, "n": 0} for i in range(80)}
    old, new = (dict.fromkeys(queries, docs) for docs in (["u", "r"], ["r", "n"]))
    found = compare_many(old, [new], qrels=queries, measures=["RR@10"], names=["old", "new"])[0]
    enough = sum(one.enough for one in found.turning)
    assert 12 < enough < len(found.turning) == 80
    page = html(found)
    assert f"The first {enough} suffice; 50 of 80 are shown." in page
    assert "38 further documents" in page
