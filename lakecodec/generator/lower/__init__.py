"""Lowering: the checked model becomes layouts and expression nodes, once. Nothing here makes text of Python."""
