"""An S3 server on this machine (moto's) that counts requests and can answer late."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

BUCKET = "lake"


class Rounds:
    """Counter of how often a client waits: requests are answered together when no more come for a while."""

    def __init__(self, quiet: float) -> None:
        self.number = 0
        self._quiet = quiet
        self._last = 0.0
        self._changed = threading.Condition()

    def wait(self) -> None:
        with self._changed:
            mine, self._last = self.number, time.monotonic()
            while self.number == mine:
                self._changed.wait(self._quiet / 4)
                if self.number == mine and time.monotonic() - self._last > self._quiet:
                    self.number += 1
                    self._changed.notify_all()


class Server:
    """A server with one bucket.

    Attributes:
        url: where it answers.
        requests: how many requests of each method and kind there were: ``GET``, ``PUT``, ``LIST`` ...
        seconds: what each answer waits.
        unconditional: whether it ignores ``If-None-Match``, as older servers do.
    """

    def __init__(self) -> None:
        from moto.server import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import WSGIRequestHandler, make_server

        class Silent(WSGIRequestHandler):
            def log(self, type: str, message: str, *args: Any) -> None:
                pass

        self.requests: Counter[str] = Counter()
        self.seconds = 0.0
        self.unconditional = False
        self._rounds: Rounds | None = None
        lock = threading.Lock()
        application = DomainDispatcherApplication(create_backend_app)

        def counted(environment: dict[str, Any], start: Any) -> Any:
            method, query = environment["REQUEST_METHOD"], environment.get("QUERY_STRING", "")
            self.requests["LIST" if "list-type" in query else method] += 1
            time.sleep(self.seconds)
            if (rounds := self._rounds) is not None:
                rounds.wait()
            if self.unconditional:
                environment.pop("HTTP_IF_NONE_MATCH", None)
            with lock:  # moto looks for a file and creates it in two steps; S3 does so in one
                return application(environment, start)

        self._server = make_server("127.0.0.1", 0, counted, threaded=True, request_handler=Silent)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def options(self) -> dict[str, Any]:
        """Options of a client for the server."""
        retries = {"retries": {"max_attempts": 2}}
        return {"endpoint_url": self.url, "key": "test", "secret": "test", "config_kwargs": retries}

    @contextmanager
    def count(self) -> Iterator[Counter[str]]:
        """Yields the requests that are made inside."""
        before = self.requests.copy()
        found: Counter[str] = Counter()
        yield found
        found.update(self.requests - before)

    @contextmanager
    def rounds(self, quiet: float = 0.25) -> Iterator[Rounds]:
        """Yields the number of rounds of requests that depend on each other, of those that are made inside."""
        found = self._rounds = Rounds(quiet)
        try:
            yield found
        finally:
            self._rounds = None

    def close(self) -> None:
        self._server.shutdown()


@contextmanager
def server(*, named: bool = True) -> Iterator[Server]:
    """Yields a server; one that is ``named`` is in the environment of this process, and of those that it starts."""
    found = Server()
    settings = {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "FSSPEC_S3_ENDPOINT_URL": found.url,
    }
    before = {name: os.environ.get(name) for name in settings}
    for name, value in settings.items():
        if named:
            os.environ[name] = value
        else:
            os.environ.pop(name, None)
    try:
        import fsspec
        from fsspec.config import set_conf_env
        from s3fs import S3FileSystem

        # The settings were read when fsspec was imported; clients of other settings are kept for good.
        set_conf_env(fsspec.config.conf)
        S3FileSystem.clear_instance_cache()
        with suppress(FileExistsError):  # moto keeps all for the life of the process
            S3FileSystem(**found.options).mkdir(BUCKET)
        yield found
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        fsspec.config.conf.pop("s3", None)
        S3FileSystem.clear_instance_cache()
        found.close()
