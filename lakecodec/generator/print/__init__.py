"""Printing: layouts and nodes become text of Python."""
