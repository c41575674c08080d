"""Lowering: the checked model becomes layouts and expression nodes. No text of Python is made here."""
