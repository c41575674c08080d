"""Compiled kernels of row keys."""
