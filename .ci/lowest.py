"""Prints the lowest version that pyproject.toml admits of each dependency, as requirements for pip.

``python .ci/lowest.py [extra ...] > lowest.txt``
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path


def lowest(extras: list[str]) -> list[str]:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + [line for extra in extras for line in project["optional-dependencies"][extra]]
    bounds = [re.fullmatch(r"([A-Za-z0-9_.-]+)(?:>=|==)([0-9.]+)(?:,.*)?", line) for line in wanted]
    unbound = [line for line, found in zip(wanted, bounds, strict=True) if found is None]
    if unbound:
        raise SystemExit(f"without a lower bound: {', '.join(unbound)}")
    return [f"{found[1]}=={found[2]}" for found in bounds if found]


if __name__ == "__main__":
    print("\n".join(lowest(sys.argv[1:])))
