"""Checks of a resolved model: what a sound module must keep."""
