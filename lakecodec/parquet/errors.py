"""Errors that name the file, the path of the value in it and the byte offset."""

from functools import partial

from ..runtime import errors

FORMAT = "parquet"

broken = partial(errors.broken, FORMAT)
relocated = partial(errors.relocated, FORMAT)
