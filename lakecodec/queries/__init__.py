"""Queries: tables that are declared in a call, over files of any format."""

from .run import query, query_batches, resolved

__all__ = ["query", "query_batches", "resolved"]
