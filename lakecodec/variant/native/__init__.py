"""Compiled kernels of variants alone."""
