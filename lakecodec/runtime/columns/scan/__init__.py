"""Offset scans: programs that locate packed numbers and encoded values in records without making objects."""
