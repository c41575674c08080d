"""Generated objects next to what the oracle read of the same bytes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from lakecodec.generator.model import Struct

from .nodes import Encoded, Node


def differences(ours: Any, node: Any, path: str = "") -> Iterator[str]:
    """Every place where a generated object, or a part of it, is not what the oracle read."""
    match node:
        case Node(declaration=Struct(kind="union" | "oneof")):
            for name, value in node.fields.items():
                if ours.kind != name:
                    yield f"{path}: {ours.kind} is {name}"
                yield from differences(ours.value, value, f"{path}.{name}")
        case Node():
            if node.case is not None and (ours.kind, ours.tag) != (node.case, node.tag):
                yield f"{path}: {ours.kind} of {ours.tag} is {node.case} of {node.tag}"
            for name, value in node.fields.items():
                yield from differences(_attribute(ours, name), value, f"{path}.{name}")
        case Encoded():
            if ours is None or (len(ours), ours.to_bytes()) != (len(node), node.raw):
                yield f"{path}: {ours} is {node.raw!r}"
        case list():
            found = _listed(ours)
            if found is None or len(found) != len(node):
                yield f"{path}: {ours} is {node}"
            else:
                for index, (mine, value) in enumerate(zip(found, node, strict=True)):
                    yield from differences(mine, value, f"{path}[{index}]")
        case float() if math.isnan(node):
            if not math.isnan(ours):
                yield f"{path}: {ours} is {node}"
        case _:
            if ours != node or isinstance(ours, bytes | str | None) != isinstance(node, bytes | str | None):
                yield f"{path}: {ours!r} is {node!r}"


def _attribute(ours: Any, name: str) -> Any:
    # Names of methods have an underscore behind them.
    return getattr(ours, f"{name}_") if hasattr(ours, f"{name}_") else getattr(ours, name)


def _listed(ours: Any) -> list[Any] | None:
    """Elements in order; maps as pairs."""
    if ours is None:
        return None
    return list(ours.items()) if isinstance(ours, dict) else list(ours)
