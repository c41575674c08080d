"""``--storage-option`` of every command: gives options of an object store's client to the URLs among the arguments."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import typer
from typer.models import ArgumentInfo

from .arguments import parse_options
from .examples import Command, Group

_OPTION = "--storage-option"
STORAGE_OPTION: Any = typer.Option(
    [], _OPTION, metavar="KEY=VALUE", help="An option of the client for the object store of URLs. May be repeated."
)
#: Names of options that are paths or URLs. All positional arguments may be paths or URLs.
_PLACES = frozenset({"output", "base"})
#: The options before the command's name.
_in_front: list[str] = []


def keep(texts: list[str]) -> None:
    """Keeps options of object stores for the command that follows."""
    _in_front[:] = texts


class Commands(typer.Typer):
    """An application or group whose commands all have ``--storage-option``, and an example in their help."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(cls=Group, **settings)

    def command(self, *args: Any, **settings: Any) -> Callable[[Any], Any]:
        register = super().command(*args, cls=Command, **settings)

        def add(function: Any) -> Any:
            register(_with_option(function))
            return function

        return add


def _with_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a command's function with one more argument: storage options for its URLs."""
    signature = inspect.signature(function)
    places = [
        name
        for name, each in signature.parameters.items()
        # Spark reads the source of commands with a source format, and has its own options for it.
        if (isinstance(each.default, ArgumentInfo) or name in _PLACES)
        and not (name == "source" and "source_format" in signature.parameters)
    ]
    option = inspect.Parameter(
        "storage_option", inspect.Parameter.KEYWORD_ONLY, default=STORAGE_OPTION, annotation=list[str]
    )

    @functools.wraps(function)
    def command(*, storage_option: list[str], **values: Any) -> Any:
        if texts := [*_in_front, *storage_option]:
            values.update(zip(places, _located(texts, [values[name] for name in places]), strict=True))
        return function(**values)

    command.__signature__ = signature.replace(parameters=[*signature.parameters.values(), option])  # type: ignore[attr-defined]
    command.__annotations__ = {**function.__annotations__, "storage_option": list[str]}
    return command


def _located(texts: list[str], places: list[Any]) -> tuple[Any, ...]:
    """Returns the values of arguments, with the options added to the URLs among them."""
    from lakecodec.runtime.urls import located, storage_option

    options = {}
    for name, text in parse_options(texts, _OPTION).items():
        try:
            options[name] = storage_option(text)
        except ValueError:
            raise typer.BadParameter(f"{name} is not a JSON object: {text}", param_hint=_OPTION) from None
    try:
        return located(options, *places)
    except ValueError:
        message = "it is for URLs such as s3://bucket/name, and there is none among the arguments"
        raise typer.BadParameter(message, param_hint=_OPTION) from None
