"""The last stage: plans to text by Jinja templates, which print what the plan says and decide nothing."""

from __future__ import annotations

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from .plan import ModulePlan


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


def emit(plan: ModulePlan) -> dict[str, str]:
    """Returns a dict of file name -> text of the modules generated from one IDL file: one, or two where it has structs."""
    files = {f"{plan.name}.py": _render("module.py.j2", plan)}
    if plan.compact:
        files[f"_{plan.name}_pure.py"] = _render("pure.py.j2", plan)
    return files


def _render(template: str, plan: ModulePlan) -> str:
    text = _environment().get_template(template).render(module=plan)
    return re.sub(r"[ \t]+\n", "\n", text).strip() + "\n"
