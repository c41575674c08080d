"""Checks of a resolved model: the rules of a valid module."""
