"""Printing: layouts and nodes become text of Python, here and nowhere else."""
