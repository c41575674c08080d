"""The plan: everything a template prints, decided. `module.py` makes it from a checked model."""

from __future__ import annotations

from .module import ModulePlan, plan_module

__all__ = ["ModulePlan", "plan_module"]
