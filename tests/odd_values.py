"""Values that have broken programs before: ids, numbers, lines and pieces of files."""

__all__ = [
    "BAD_NUMBERS",
    "BLANK_IDS",
    "BROKEN_LINES",
    "BROKEN_OF_KIND",
    "GOOD_NUMBERS",
    "JSON_TOKENS",
    "ODD_IDS",
    "QUOTED_IDS",
    "TOKENS",
]

ODD_IDS = [
    "1", "01", "1.0", "-7", "q1", "Q1", "q1.0", "d#1", "#", "a:b/c", "http://x.org/?a=b&c=d", "q二", "docé☃",
    "é", "e\u0301", "\u00a0", "a\u00a0b", "\u0085", "\u2028x", "\ufeffx", "\x1c", "\x7f", "a\rb", "😀",
    "null", "NaN", "0", "00", "x" * 63, "x" * 64, "x" * 65, "x" * 64 + "y", "z" * 300, "w" * 4097,
]  # fmt: skip

BLANK_IDS = [
    "a b", " a", "a ", " ", "a\tb", "Who is it? (film)",
]  # fmt: skip

QUOTED_IDS = [
    '"', 'say "hi"', ",", "a,b", "\\", "\\n", '{"a":1}',
]  # fmt: skip

GOOD_NUMBERS = [
    "0", "-0", "-0.0", "+0", "0e5", "1", "1.0", "+1", "1e0", "10e-1", ".5", "5.", "0.5", "5e-1", "1e-400",
    "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e308", "-1e308",
    "1.7976931348623157e308", "3.4e38", "3.5e38", "1e39", "0.1", "0.10000000000000001",
    "0.1000000000000000055511151231257827021181583404541015625", "0.9000000001", "0.9000000002", "16777216",
    "16777217", "9007199254740992", "9007199254740993", "123456789012345678901234567890", "1E+2", "000001",
    "-2.50", "0." + "0" * 400 + "1", "1" + "0" * 300, "0." + "0" * 400 + "1e10", "1" + "0" * 400 + "e-200",
    "0." + "0" * 300 + "1e300", "0" * 400 + "e500", "0e99999999999", "123456789012345.6", "-999999999999999",
    "1.00000000000000011102230246251565404236316680908203125",
]  # fmt: skip

BAD_NUMBERS = [
    "nan", "NaN", "-nan", "inf", "+INF", "-Infinity", "infinity", "1e309", "-1e400", "0x10", "1_000",
    "high", "1,5", "1e", "e5", ".", "+", "-", "--1", "1.2.3", "\u0661", "nan(1)", "1d5", "1f", "1e+", "in",
    "1" + "0" * 400 + "e-10", "infinit", "infinityx", "+-1", "1e5.0", "½",
]  # fmt: skip

TOKENS = [
    b" ", b"\t", b"\n", b"\n", b"\n", b"\r\n", b"\r", b"\v", b"\f", b"q1", b"q2", b"a", b"b", b"1", b"2",
    b"-0", b"1.5", b"nan", b"#", b"\xef\xbb\xbf", b"\xff", b"\0", b"\xe2\x98\x83", b"\xe2\x98",
    b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b'"', b'""', b",", b"q1 Q0 a 1 2.0 t\n", b"q1,a,2\n",
    b"q1\ta\t2\n", b"q1 a 1\n", b"q1 b 1.0\n", b"q2 b 3\r\n", b"q2,b,1\n", b"q1\tb\t2\n",
]  # fmt: skip

JSON_TOKENS = [
    b"{", b"}", b"[", b"]", b":", b",", b" ", b"\n", b"\r\n", b"\t", b'"', b'"q"', b'"d"', b'"s"',
    b'"\\u0071"', b'"\\ud800"', b'"\\ud83d\\ude00"', b'"\\x"', b'"\\u12"', b"1", b"-", b"0", b"01",
    b"1.5e3", b"1.", b".5", b"true", b"null", b"nul", b"NaN", b"-Infinity", b"\xff", b"\0", b'"\x01"',
    b"\xe2\x98\x83", b'{"q":"q1","d":"a","s":1}\n', b'{"q":1,"d":2,"s":"0.5"}\n', b'"q":"q1"', b'"d":"b"',
    b'"s":2', b'"x":[{},{"a":[]}]', b'"x":"\\"\\\\\\/\\b"',
]  # fmt: skip

BROKEN_LINES = [
    b"q1", b"q1 Q0", b"q1 Q0 \0 1 2 t", b"q1 Q0 \xff 1 2 t", b"q1 Q0 \xed\xa0\x80 1 2 t", b"\xef\xbb\xbf",
    b"\xc3", b"x" * 200 + b"\xff",
]  # fmt: skip

BROKEN_BLANK = [
    b"q1 Q0 a 1 high t", b"q1 Q0 a one 1 t", b"q1 Q0 a 1 nan t", b"a b c d e f g h i j", b"q1\x00a\x001",
]  # fmt: skip

BROKEN_DELIMITED = [
    b"\t\t1", b"q1\t\t\t1\t1", b"1\ta\tb\tc\td\te", b"\t", b"a\t",
]  # fmt: skip

BROKEN_CSV = [
    b'"q1,a,1,1', b'q"1,a,1,1', b'"q1"x,a,1,1', b"q1,,1,1", b",a,1,1", b'"",a,1,1', b"a,b", b'"a""',
    b'a,b,"c', b'q;"a;1',
]  # fmt: skip

BROKEN_JSON = [
    b"[]", b"1", b"{", b"{}", b'{"query_id":1}', b'{"query_id":null,"doc_id":"a","score":1}',
    b'{"query_id":"a","doc_id":1.5,"score":1}', b'{"query_id":"a","doc_id":"b","score":NaN}',
    b'{"query_id":"a","doc_id":"b","score":-Infinity}', b'{"query_id":"a","doc_id":"","score":1}',
    b'{"query_id":"a","query_id":"b","doc_id":"c","score":1}',
    b'{"query_id":"a","doc_id":"b","score":true}', b'{"query_id":"a","doc_id":"b","score":"high"}',
    b'{"query_id":"\\ud800","doc_id":"b","score":1}', b'{"query_id":"a","doc_id":"b","score":1e999}',
    b'{"query_id":"a","doc_id":"b","score":1,"x":01}', b'{"query_id":"a","doc_id":"b","score":1} x',
    b'{"query_id":"a","doc_id":["b"],"score":1}', b'{"query_id":"a","doc_id":"b","score":1,}',
]  # fmt: skip

BROKEN_OF_KIND = {
    "blank": BROKEN_BLANK,
    "delimited": BROKEN_DELIMITED,
    "csv": BROKEN_CSV,
    "json": BROKEN_JSON,
}
