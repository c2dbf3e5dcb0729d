"""Changes of one regular line of a run: what a reader must take all the same, and what it must refuse."""

from collections.abc import Callable

__all__ = ["BREAKING", "BREAKING_JSON", "HARMLESS", "HARMLESS_JSON"]

HARMLESS: list[Callable[[str], str]] = [
    lambda line: line.replace(" ", "\t", 1),
    lambda line: line.replace(" ", "  ", 2),
    lambda line: line.replace("\n", "\r\n"),
    lambda line: " " + line,
    lambda line: line.replace("\n", " \n"),
    lambda line: line + "\n",
    lambda line: line + " \t\n",
    lambda line: line.replace(" Q0 ", " Qé0 "),
    lambda line: line.replace("tag", "tag two"),
    lambda line: line.replace("tag", "t" * 70),
    lambda line: line.replace("tag", "\x01"),
    lambda line: line.replace("Q0 ", "Q0 " + "long-" * 13),
    lambda line: line.replace("Q0 ", "Q0 é"),
    lambda line: line.replace(".", "", 1),
    lambda line: line.replace(".", ".0000000000", 1),
    lambda line: line.replace(" tag", "e0 tag"),
    lambda line: line.replace(" tag", "E-3 tag"),
    lambda line: line.replace("q", "q_", 1),
    lambda line: line.replace("q", "r" * 40, 1),
]
BREAKING: list[Callable[[str], str]] = [
    lambda line: line.replace(" tag", "x tag"),
    lambda line: line.replace(" tag", ". tag"),
    lambda line: line.replace(" tag", "\0 tag"),
    lambda line: line.replace(" Q0 ", " "),
    lambda line: line.replace(" Q0 ", " \udcff "),
    lambda line: line.replace(" tag", "nan tag"),
    lambda line: "only two\n",
]
HARMLESS_JSON: list[Callable[[str], str]] = [
    lambda line: line.replace(",", " , ").replace(":", ": "),
    lambda line: line.replace("{", " { ").replace("}", "\t}\r"),
    lambda line: line.replace("query_id", "qid"),
    lambda line: line.replace('"query_id":', '"query\\u005fid":'),
    lambda line: line.replace('"doc_id":"', '"doc_id":"\\u0061\\n\\/'),
    lambda line: line.replace("{", '{"x":[1,{"score":9,"doc_id":"z"}],', 1),
    lambda line: line.replace("}", ',"text":"say \\"}{\\\\"}'),
    lambda line: line.replace('"rank"', '"none"'),
    lambda line: line.replace("\n", "\r\n"),
    lambda line: line + "\n",
    lambda line: line.replace('"doc_id":"', '"doc_id":"é☃😀'),
    lambda line: line.replace('"doc_id":"', '"docid":"a","doc_id":"'),
    lambda line: line.replace('"doc_id":"', '"doc_id":"' + "long-" * 13),
    lambda line: line.replace('"score":', '"score":"').replace("}", '"}'),
    lambda line: line.replace("}", "e0}"),
    lambda line: line.replace("}", ',"n":NaN}'),
]
BREAKING_JSON: list[Callable[[str], str]] = [
    lambda line: line.replace("}", ",}"),
    lambda line: line.replace("}", ',"score":1}'),
    lambda line: line.replace("{", '{"score":null,"s":{', 1),
    lambda line: line.replace('"score":', '"score":null,"s":'),
    lambda line: line.replace('"score":', '"score":0'),
    lambda line: line.replace('"score":', '"score":+'),
    lambda line: line.replace("}", ".}"),
    lambda line: line.replace('"doc_id":"', '"doc_id":"\x01'),
    lambda line: line.replace('"doc_id":"', '"doc_id":"\\ud800'),
    lambda line: line.replace('"doc_id":"', '"doc_id":"\\x'),
    lambda line: line.replace('"doc_id":"', '"doc_id":["'),
    lambda line: line.replace('"doc_id"', '"id"'),
    lambda line: line[:-3] + "\n",
    lambda line: line.replace("}", "} x"),
    lambda line: line.replace('":"', '":" \udcff'),
]
