"""Compiled kernels of Mosaic alone."""
