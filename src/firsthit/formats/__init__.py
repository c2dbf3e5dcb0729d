"""The formats of labels and runs: how each is recognised and which columns it has."""

from firsthit.formats.model import Format, Lines, Loaded, Role
from firsthit.formats.parquet import column_names, table_format
from firsthit.formats.recognition import format_names, recognise

__all__ = ["Format", "Lines", "Loaded", "Role", "column_names", "format_names", "recognise", "table_format"]
