"""Versions made of the log alone: restored, converted from Parquet files, with other properties; which files to cluster."""
