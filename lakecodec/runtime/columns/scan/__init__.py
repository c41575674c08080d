"""Offset scans: programs that find the packed numbers and values of records without making objects."""
