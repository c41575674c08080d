"""Scans of tables, with Spark and without it, with data skipping."""
