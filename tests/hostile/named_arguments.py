"""Wrong arguments of public calls: the error must name the argument. ``main(seed, count)`` returns the number of faults.

Each call of `arguments.targets` is made as it is, but one argument of a public function inside of it becomes a wrong one.
Arguments that the call leaves to their defaults are tried, too.
"""

from __future__ import annotations

import contextlib
import copy
import faulthandler
import functools
import inspect
import random
import re
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import lakecodec
from lakecodec import IdlError
from lakecodec.lake import LogError
from lakecodec.runtime.errors import CodecError

from . import arguments, targets
from .public_calls import PACKAGES, WITHOUT_VALUES

_PACKAGE = str(Path(lakecodec.__file__).parent)


class Opaque:
    """A value of no use to anybody."""


WRONG: list[Any] = [
    None, 5, -1, 2**70, 1.5, "text", "", b"bytes", True, [], [5], [None], ["text", 5], {}, {5: 5}, {"text": None}, {"text"}, (),
    range(3), Opaque(), Opaque,
]  # fmt: skip


#: Arguments that errors show.
SHOWN = {("import_idl", "path_or_text")}


class Wrong(NamedTuple):
    """An argument of a public function, and what takes its place."""

    call: str
    parameter: str
    value: Any


@dataclass
class Change:
    """What the next call of a function gets: ``made`` once it was."""

    wrong: Wrong | None = None
    made: bool = False
    error: BaseException | None = None


_change = Change()
#: The functions that each call makes, in the order in which it makes them.
_seen: list[str] = []
_signatures: dict[str, inspect.Signature] = {}


def _interposed(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    _signatures[name] = signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        _seen.append(name)
        if _change.wrong is None or _change.made or _change.wrong.call != name:
            return function(*given, **named)
        bound = signature.bind(*given, **named)
        bound.arguments[_change.wrong.parameter] = _change.wrong.value
        _change.made = True
        try:
            return function(*bound.args, **bound.kwargs)
        except Exception as error:
            _change.error = error
            raise

    return call


def interpose() -> None:
    """Puts functions that change an argument in the place of all public ones, and of the public methods."""
    classes: set[type] = set()
    for package in PACKAGES:
        where: Any = import_module(f"lakecodec.{package}".rstrip("."))
        for name in where.__all__:
            found = getattr(where, name)
            full = f"{package}.{name}".lstrip(".")
            if inspect.isclass(found) and not issubclass(found, Exception):
                _interpose_class(full, found, classes, constructs=full not in WITHOUT_VALUES["is made by lakecodec"])
            elif inspect.isfunction(found):
                made = _interposed(full, found)
                setattr(where, name, made)
                if getattr(targets, name, None) is found:
                    setattr(targets, name, made)
    module = targets.module()
    for cls in (module.Item, module.Note, module.Cells, module.Cell):
        _interpose_class(cls.__name__, cls, classes)


def _interpose_class(full: str, cls: type, done: set[type], *, constructs: bool = True) -> None:
    if cls in done or not cls.__module__.startswith(("lakecodec", "lying")):
        return
    done.add(cls)
    for name, found in list(vars(cls).items()):
        # Constructors of records make themselves when they are first called.
        if (
            not name.startswith("_") or (constructs and name == "__init__" and found.__module__ == cls.__module__)
        ) and inspect.isfunction(found):
            setattr(cls, name, _interposed(f"{full}.{name}", found))


def _parameters(name: str) -> Iterator[str]:
    for parameter in _signatures[name].parameters.values():
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) and parameter.name != "self":
            yield parameter.name


def cases() -> list[tuple[arguments.Target, Wrong]]:
    """Returns all wrong calls."""
    found = []
    tried: set[tuple[str, str]] = set()
    for target in arguments.targets():
        _seen.clear()
        target.call(*copy.deepcopy(target.arguments()))
        for name in dict.fromkeys(_seen):
            for parameter in _parameters(name):
                if (name, parameter) not in tried:
                    tried.add((name, parameter))
                    found += [(target, Wrong(name, parameter, value)) for value in WRONG]
    return found


def fault(target: arguments.Target, wrong: Wrong) -> str | None:
    """Returns what is wrong with the error of a call; None if there is no error, or a fine one."""
    _change.wrong, _change.made, _change.error = wrong._replace(value=copy.deepcopy(wrong.value)), False, None
    try:
        target.call(*copy.deepcopy(target.arguments()))
    except Exception as error:
        # What options are passed on to has names of its own.
        has_more = any(each.kind == each.VAR_KEYWORD for each in _signatures[wrong.call].parameters.values())
        names = r"\w+" if has_more else "|".join(_parameters(wrong.call))
        is_ours = _change.error is error or _PACKAGE in traceback.extract_tb(error.__traceback__)[-1].filename
        # A path without a file or table is named itself; bytes, texts and declarations have errors of their own.
        if not is_ours or isinstance(error, OSError | LogError | CodecError | IdlError):
            return None
        if isinstance(error, TypeError | ValueError | LookupError) and not isinstance(error, UnicodeError):
            is_named = re.search(rf"\b{wrong.parameter.removesuffix('s')}s?\b|^\W?({names}|source): ", str(error))
            if is_named or (wrong.call, wrong.parameter) in SHOWN:
                return None
        return f"{type(error).__name__}: {error}"
    finally:
        _change.wrong = None
    return None


def main(seed: int, count: int) -> int:
    faulthandler.enable()
    warnings.simplefilter("ignore")
    interpose()
    every = cases()
    chosen = every if count >= len(every) else random.Random(seed).sample(every, count)
    faults = 0
    # Where some text is taken for the path of a new file.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for target, wrong in chosen:
            told = fault(target, wrong)
            if told is not None:
                faults += 1
                print(f"{wrong.call}({wrong.parameter}={wrong.value!r:.40}): {told:.300}", flush=True)
    print(f"{faults} faults of {len(chosen)} of {len(every)} calls")
    return faults
