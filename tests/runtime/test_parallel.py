"""Calls that run ahead in threads."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from lakecodec.runtime.parallel import map_ahead, readers, workers


def test_results_come_in_order() -> None:
    def slow_first(number: int) -> int:
        time.sleep(0.02 if number == 0 else 0)
        return number * number

    assert list(map_ahead(slow_first, range(20), workers(), 4)) == [number * number for number in range(20)]
    assert list(map_ahead(slow_first, range(20), None, 4)) == [number * number for number in range(20)]


def test_the_caller_makes_calls_that_no_thread_has_begun() -> None:
    go_on = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        busy = pool.submit(go_on.wait, 5)
        callers = list(map_ahead(lambda _: threading.get_ident(), range(5), pool, 3))
        go_on.set()
        assert busy.result()
    assert callers == [threading.get_ident()] * 5


def test_the_caller_makes_calls_while_a_thread_makes_the_first() -> None:
    others = threading.Semaphore(0)

    def call(number: int) -> bool:
        if number:
            others.release()
            return True
        return all(others.acquire(timeout=5) for _ in range(2))

    with ThreadPoolExecutor(1) as pool:
        assert list(map_ahead(call, range(3), pool, 3)) == [True] * 3


def test_errors_of_the_caller_wait_for_their_turn() -> None:
    failed = threading.Event()

    def call(number: int) -> int:
        if number == 0:
            assert failed.wait(60)
        elif number == 1:
            failed.set()
            raise ValueError("1")
        return number

    with ThreadPoolExecutor(1) as pool:
        results = map_ahead(call, range(3), pool, 3)
        assert next(results) == 0
        with pytest.raises(ValueError, match="1"):
            next(results)


def test_no_more_calls_than_allowed_run_ahead() -> None:
    started: list[int] = []
    results = map_ahead(lambda number: started.append(number), range(100), readers(), 3)
    next(results)
    time.sleep(0.05)
    assert len(started) <= 4
    results.close()  # type: ignore[attr-defined]


def test_the_first_error_in_order_is_raised_and_the_rest_dropped() -> None:
    done = []

    def call(number: int) -> None:
        if number in (3, 5):
            raise ValueError(str(number))
        done.append(number)

    with ThreadPoolExecutor(2) as pool, pytest.raises(ValueError, match="3"):
        list(map_ahead(call, range(1000), pool, 4))
    assert len(done) < 20


def test_running_calls_have_ended_after_an_error() -> None:
    running = threading.Event()
    ended = threading.Event()

    def call(number: int) -> int:
        if number == 0:
            assert running.wait(60)
            raise ValueError("0")
        running.set()
        time.sleep(0.05)
        ended.set()
        return number

    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(ValueError, match="0"):
            list(map_ahead(call, range(2), pool, 2))
        assert ended.is_set()


def test_the_garbage_collector_may_close_the_iterator_in_any_thread() -> None:
    """A thread that frees an iterator while it makes one of its calls cannot wait for that call."""
    lost, collected = threading.Event(), threading.Event()

    def call(number: int) -> int:
        if number:
            assert lost.wait(60)
            gc.collect()
            collected.set()
        return number

    pool = ThreadPoolExecutor(1)
    results = map_ahead(call, range(3), pool, 2)
    assert next(results) == 0
    circle: list[object] = [results]
    circle.append(circle)
    seen = weakref.ref(results)
    del results, circle
    lost.set()
    assert collected.wait(60)
    pool.shutdown()
    assert seen() is None
