"""Compiled kernels of columns."""
