"""The last stage: Jinja templates arrange the printed parts, and decide nothing."""

from __future__ import annotations

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from .print.module import ModuleText
from .print.text import flat


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader(__package__, "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def emit(module: ModuleText) -> dict[str, str]:
    """Returns a dict of file name -> text of the module generated from one IDL file."""
    return {f"{module.name}.py": _render("module.py.j2", module)}


def _render(template: str, module: ModuleText) -> str:
    text = _environment().get_template(template).render(module=module)
    return re.sub(r"(?<![ \t])[ \t]+\n", "\n", flat(text)).strip() + "\n"
