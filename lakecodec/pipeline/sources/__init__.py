"""Spark data sources for tables and for Mosaic files."""
