"""Bytes in and out: inputs as blocks, decompressed; files written whole or not at all."""
