"""Reports of comparisons and evaluations: text, Markdown, JUnit XML, JSON, CSV and one-file HTML pages."""

from __future__ import annotations

from firsthit.report.data import csv_text, json_text
from firsthit.report.evaluation_page import evaluation_html
from firsthit.report.html import html
from firsthit.report.junit import junit
from firsthit.report.markdown import markdown
from firsthit.report.plain import text

__all__ = ["csv_text", "evaluation_html", "html", "json_text", "junit", "markdown", "text"]
