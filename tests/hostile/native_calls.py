"""Calls of everything that the compiled modules export: as the package makes them, then with arguments that are wrong.

``main(seed, count)`` records the calls of a workload, then makes ``count`` wrong ones of each function, in a process per
function, and returns the number of functions that crashed it. A wrong call may give a value or an exception.
"""

from __future__ import annotations

import faulthandler
import os
import random
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from lakecodec.runtime.native import MODULES

from . import native_workload

#: The calls of each function as the workload made them: the function, and its arguments.
Calls = dict[str, list[tuple[Callable[..., Any], tuple[Any, ...]]]]
MOST_RECORDED = 12


class Opaque:
    """A value of no use to anybody."""


def _released() -> memoryview:
    view = memoryview(bytearray(64)).cast("q")
    view.release()
    return view


def hostile() -> list[Any]:
    """Returns values that are wrong for nearly every argument."""
    return [
        None, True, -1, 0, 1, 3, 64, 2**31 - 1, 2**31, -(2**31), 2**32, 2**62, 2**63 - 1, -(2**63), 2**64, 10**40, 0.5,
        "", "text", "\ud800", b"", b"\xff" * 5, b"\x00" * 64, bytearray(8), (), (1,), (None,) * 7, [], [1], [None], [[]],
        {}, {1: 2}, set(), Opaque(), Opaque, int, list, _released(), memoryview(bytearray(64))[::2], memoryview(b"12345678"),
        memoryview(bytearray(64)).cast("q"), memoryview(bytearray(64)).cast("q")[::-1],
        memoryview(bytearray(16)).cast("B", (4, 4)), [b""] * 3, float("nan"),
        np.zeros(0, np.int64), np.zeros(8, np.int64), np.full(8, -1, np.int64), np.full(8, 2**62, np.int64),
        np.arange(16)[::2], np.zeros((2, 4), np.int64), np.zeros(8, np.uint64), np.zeros(8, np.uint8), np.zeros(8, np.float32),
        np.array([None]), lambda *_: None, Exception("x"), range(3), iter([1, 2]),
    ]  # fmt: skip


def damaged(value: Any, chance: random.Random, depth: int = 0) -> Any:
    """Returns what is near to an argument, and wrong."""
    kinds = ["other"]
    if isinstance(value, list | tuple) and value and depth < 4:
        kinds += ["item"] * 3 + ["less", "more"]
    if isinstance(value, np.ndarray):
        kinds += ["short", "filled", "filled", "strided", "read only"]
    if isinstance(value, bytes | bytearray | memoryview):
        kinds += ["cut", "cut", "long", "changed"]
    if isinstance(value, int):
        kinds += ["near"] * 2
    kind = chance.choice(kinds)
    if kind == "item":
        items = list(value)
        at = chance.randrange(len(items))
        items[at] = damaged(items[at], chance, depth + 1)
        return type(value)(items) if type(value) in (list, tuple) else items
    if kind in ("less", "more"):
        return value[:-1] if kind == "less" else value * 3
    if kind == "short":
        return value[: len(value) // 2].copy() if value.ndim else value
    if kind == "filled":
        return np.full_like(
            value,
            chance.choice([0, 1, 63])
            if value.dtype.kind != "i"
            else chance.choice([-1, 0, 1, 2**7 - 1, np.iinfo(value.dtype).max]),
        )
    if kind == "strided":
        return np.repeat(value, 2)[::2] if value.ndim else value
    if kind == "read only":
        copy = value.copy()
        copy.flags.writeable = False
        return copy
    if kind in ("cut", "long", "changed"):
        try:
            data = bytearray(value)
        except (ValueError, TypeError):
            return b""
        if kind == "cut":
            return bytes(data[: chance.randrange(len(data) + 1)])
        if kind == "long":
            return bytes(data) * 2
        for _ in range(3 if data else 0):
            data[chance.randrange(len(data))] = chance.randrange(256)
        return bytes(data)
    if kind == "near":
        return value + chance.choice([-1, 1, 7, 2**20, 2**40]) * chance.choice([1, 1, -1])
    return chance.choice(hostile())


#: Functions whose arguments are programs that the compiler made, as bytecode is: those are given whole, or
#: as other values.
PROGRAMS = ("Machine", "ColumnParts", "fill_body", "fill_writer", "define")


def wrong(arguments: tuple[Any, ...], chance: random.Random, is_program: bool) -> tuple[Any, ...]:
    """Returns arguments of which one or two are wrong, or as many as nobody wants."""
    made = list(arguments)
    if chance.random() < 0.1:
        made = made[:-1] if chance.random() < 0.5 else [*made, chance.choice(hostile())]
    for _ in range(chance.choice([1, 1, 1, 2])):
        if made:
            at = chance.randrange(len(made))
            made[at] = chance.choice(hostile()) if is_program else damaged(made[at], chance)
    return tuple(made)


# ---- what the package calls ----


def _note(calls: Calls, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    noted = calls.setdefault(name, [])
    if len(noted) < MOST_RECORDED:
        # Copies: callers may give the memory of an array back.
        kept = tuple(item.copy() if isinstance(item, np.ndarray) else item for item in arguments)
        noted.append((function, kept))


def _recording(calls: Calls, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def recorded(*arguments: Any, **named: Any) -> Any:
        if not named:
            _note(calls, name, function, arguments)
        return function(*arguments, **named)

    return recorded


def _recording_class(calls: Calls, name: str, cls: type) -> type:
    body: dict[str, Any] = {"__slots__": ()}
    for method, function in vars(cls).items():
        if callable(function) and not method.startswith("_"):
            body[method] = _recording(calls, f"{name}.{method}", function)

    def __new__(kind: type, *arguments: Any) -> Any:
        _note(calls, name, cls, arguments)
        return cls.__new__(kind, *arguments)

    try:
        return type(cls.__name__, (cls,), {**body, "__new__": __new__})
    except TypeError:
        return cls  # final


def record(calls: Calls) -> None:
    """Puts what notes its calls in the place of what the compiled modules export, in all modules that have it."""
    noting: dict[int, Any] = {}
    for path in MODULES:
        module = import_module(f"lakecodec.{path}")
        for name, found in vars(module).items():
            key = f"{path}.{name}"
            if isinstance(found, type) and found.__module__ in (module.__name__, path.rpartition(".")[2]):
                noting[id(found)] = _recording_class(calls, key, found)
            elif callable(found) and not isinstance(found, type) and not name.startswith("_"):
                noting[id(found)] = _recording(calls, key, found)
                calls[key] = []
    for module in [module for name, module in sys.modules.items() if name.startswith("lakecodec")]:
        for name, found in list(vars(module).items()):
            if id(found) in noting:
                setattr(module, name, noting[id(found)])


# ---- wrong calls ----

#: The call that is being made, for who finds the process dead.
_notes = tempfile.TemporaryFile()  # noqa: SIM115


def _attack(function_name: str, calls: list[tuple[Callable[..., Any], tuple[Any, ...]]], seed: int, count: int) -> None:
    """Makes wrong calls, and notes each before it is made where whoever looks for a crash finds it."""
    chance = random.Random(f"{seed} {function_name}")
    for number in range(count):
        function, arguments = chance.choice(calls)
        made = wrong(arguments, chance, function_name.endswith(PROGRAMS))
        os.ftruncate(_notes.fileno(), 0)
        os.pwrite(_notes.fileno(), f"{number}: {str(made)[:1500]}".encode(errors="replace"), 0)
        try:
            signal.alarm(60)
            function(*made)
        except Exception:
            pass
        finally:
            signal.alarm(0)


def attacked(name: str, calls: list[tuple[Callable[..., Any], tuple[Any, ...]]], seed: int, count: int) -> str | None:
    """Returns what became of the process that made wrong calls of a function, if it was more than an exception."""
    child = os.fork()
    if child == 0:
        status = 1
        if "asan" not in os.environ.get("LD_PRELOAD", ""):  # which has a limit of its own
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        try:
            _attack(name, calls, seed, count)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if status == 0:
        return None
    return f"{name}: ended with {status}, call {os.pread(_notes.fileno(), 2000, 0).decode(errors='replace')}"


def main(seed: int, count: int, only: str = "") -> int:
    faulthandler.enable()
    calls: Calls = {}
    record(calls)
    native_workload.run(calls, _note)
    missing = [name for name, found in calls.items() if not found]
    for name in missing:
        print("never called by the workload:", name)
    faults = 0
    for name, found in sorted(calls.items()):
        if found and only in name:
            told = attacked(name, found, seed, count)
            if told is not None:
                faults += 1
                print(told, flush=True)
    return min(faults + len(missing), 1)
