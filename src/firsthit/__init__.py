"""firsthit: retrieval evaluation where one decisive hit matters."""

__all__ = ["__version__"]

__version__ = "0.1.0"
