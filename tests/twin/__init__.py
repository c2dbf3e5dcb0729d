"""The slow twin of the native core: the same classes and results, in plain Python too simple to be wrong.

It is written from the specification (`_core.pyi` and docs/design.md), never from the C++ code, and takes the
whole input at once: no blocks, no threads, Python's `split`, `float`, `json` and `sorted`, and dictionaries.
Where the specification is open, the twin has chosen:

- A physical line is a piece between LF; a final LF opens no new line. One CR before LF or the end of input
  belongs to the line end; any other CR is data (white space in JSON). Header lines are counted as lines and
  nothing else.
- A line of nothing but space, tab, VT and FF is blank in every format. A comment begins with '#' in the first
  column. Blank lines, comments and headers are not checked for NUL and UTF-8.
- A line has one problem at most, the first of: nul, utf8, its structure (quote before fields), then role by
  role. The value of a problem is the line, the field, the role or the doc id, cut to 80 bytes.
- A field that a needed role lacks, although the width allows the line, is a "fields" problem.
- Only query and doc must not be empty.
- JSON: the whole line must be valid, but for NaN and Infinity, which are tolerated where nothing reads them.
  Of the accepted keys the first in the accepted order wins, and only it is checked, for repetition too.
- `records` counts broken data lines too. When there are problems, only they and the counts are specified.
- Repeated ranks are looked for before duplicates; the first record of the file is the "other" one of both.
- Rounding to 32 bits may give an infinity, without an error; it applies to scores only.
- A duplicate is named by its own line and the first line of that document, whichever of them is removed.
- A document that is kept twice is a labelled document at its best rank; elsewhere it only fills a rank.
- A rank column counts as whole numbers when the values are ("1.0", "1e2"), as "none" when no record
  has it.
- A row with a broken field of a passage counts for nothing, as any broken line. Every other row says of its
  document what it says, whatever its query and rank, be it removed or not.
- Everything about ties, duplicates, depth and inversion includes the queries without labels.
"""

from tests.twin.columns import table_from_arrow, table_from_mapping
from tests.twin.labels import Labels
from tests.twin.matcher import Matcher
from tests.twin.ranking import Ordering
from tests.twin.table import Table
from tests.twin.text import Layout

__all__ = ["Labels", "Layout", "Matcher", "Ordering", "Table", "table_from_arrow", "table_from_mapping"]
