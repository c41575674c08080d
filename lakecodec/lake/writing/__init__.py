"""Data files of a new version: how rows are ordered, split and written, and the messages of jobs about their files."""
