"""From Lark's parse tree to the nodes of `syntax`: one method per grammar rule, in three layers."""

from .expressions import TooDeepError
from .extensions import TreeBuilder

__all__ = ["TooDeepError", "TreeBuilder"]
