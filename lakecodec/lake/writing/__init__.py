"""Data files of a new version: how rows are ordered, split and written, and what a job tells of its files."""
