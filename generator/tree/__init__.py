"""From Lark's parse tree to the nodes of `syntax`: one method a grammar rule, in three layers."""

from .extensions import TreeBuilder

__all__ = ["TreeBuilder"]
