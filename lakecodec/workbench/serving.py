"""`lakecodec serve`: a page on this machine where an IDL is edited beside a file that it reads."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Callable, Iterable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from ..generator import compile_idl
from ..generator.diagnostics import IdlError
from ..runtime.errors import CodecError
from .excerpt import MOST_NODES
from .explorer import explore
from .page import page_data, page_text
from .sources import main_type, readable_types

#: The most file names that the page offers, and the most bytes per request.
_MOST_FILES, _MOST_BYTES = 5000, 4 << 20
_IDL_SUFFIXES = (".idl", ".thrift")


class Bench:
    """The actions that the page may ask for: the files below one folder, and the trees that IDL texts make of them.

    Args:
        folder: nothing outside of it is read or written.
        allow_extern: Python modules whose externs the IDL texts may name, besides those of lakecodec: their code runs.
    """

    def __init__(self, folder: Path, allow_extern: Iterable[str] = ()) -> None:
        self._folder = folder.resolve(strict=True)
        self._allow_extern = tuple(allow_extern)
        self._lock = Lock()

    def files(self, _: dict[str, Any]) -> dict[str, Any]:
        """Returns the names of the files, and those of IDL files; hidden ones are left out."""
        found: list[str] = []
        for folder, folders, names in os.walk(self._folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            found += (
                (Path(folder) / name).relative_to(self._folder).as_posix()
                for name in sorted(names)
                if not name.startswith(".")
            )
            if len(found) > _MOST_FILES:
                break
        found = found[:_MOST_FILES]
        idls = [name for name in found if name.endswith(_IDL_SUFFIXES)]
        return {"files": [name for name in found if name not in set(idls)], "idls": idls}

    def idl(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Returns the text of an IDL file."""
        return {"text": self._path(asked["file"]).read_text(encoding="utf-8")}

    def tree(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Returns the page of a file as an IDL text reads it, the types of the text, and the errors of both."""
        if not asked["file"]:
            return {"messages": [_message("there are only IDL files here")]}
        file, name = self._path(asked["file"]), asked["idl"]
        with self._lock:
            if not name:
                return self._page(file, None)
            try:
                # The line break marks the argument as IDL text. Included files are searched beside the file.
                text, folder = asked["text"] + "\n", self._path(name).parent
                types = readable_types(compile_idl(text, include_paths=[folder], allow_extern=self._allow_extern))
            except IdlError as error:
                return {"messages": [_diagnostic(each) for each in error.diagnostics]}
            try:
                cls = types[asked["type"]].cls if asked["type"] in types else main_type(types, name)
            except ValueError as error:
                return {"types": list(types), "messages": [_message(str(error))]}
            return {"types": list(types), **self._page(file, cls)}

    def _page(self, file: Path, cls: Any) -> dict[str, Any]:
        try:
            tree = explore(file, cls)
            page = page_data([tree], most=MOST_NODES)
        except (CodecError, ValueError) as error:
            return {"messages": [_message(str(error))]}
        wrong = [_message(str(each)) for each in tree.errors()[:20]] if tree.data.size < _MOST_BYTES else []
        return {"page": {**page, "title": file.name}, "messages": wrong}

    def save(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Writes the text of an IDL file, whole or not at all."""
        path = self._path(asked["file"])
        if path.suffix not in _IDL_SUFFIXES:
            raise PermissionError(f"{asked['file']!r} is not an IDL file")
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8", newline="") as file:
            file.write(asked["text"])
        os.chmod(file.name, path.stat().st_mode)
        os.replace(file.name, path)
        return {"messages": [_message(f"saved {asked['file']}", is_error=False)]}

    def _path(self, name: str) -> Path:
        """Returns the path of a file of the folder.

        Raises:
            PermissionError: it is hidden or lies elsewhere, by a link too.
            FileNotFoundError: there is no such file.
        """
        path = (self._folder / name).resolve(strict=True)
        if not path.is_relative_to(self._folder) or any(
            part.startswith(".") for part in path.relative_to(self._folder).parts
        ):
            raise PermissionError(f"{name!r} is outside of the folder")
        return path


def _message(text: str, is_error: bool = True) -> dict[str, Any]:
    return {"text": text, "isError": is_error}


def _diagnostic(found: Any) -> dict[str, Any]:
    place = found.location
    return {**_message(found.message), "line": place.line, "column": place.column, "length": place.length}


def server_of(
    folder: str | os.PathLike[str], port: int = 0, *, idl: str = "", allow_extern: Iterable[str] = ()
) -> tuple[ThreadingHTTPServer, str]:
    """Returns a server for the files of a folder, and the address that opens its page; only this machine reaches it.

    The address holds a token: requests without it, such as those of other web pages, are refused. `serve_forever` starts the
    server.

    Args:
        folder: the folder; files outside of it are out of reach.
        port: 0 for any that is free.
        idl: the IDL file, relative to the folder, that the page begins with.
        allow_extern: Python modules whose externs the IDL texts may name.

    Raises:
        FileNotFoundError: there is no such folder.
        OSError: the port is in use.
    """
    bench, token = Bench(Path(folder), allow_extern), secrets.token_urlsafe(16)
    handler = type("Handler", (_Handler,), {"bench": bench, "token": token, "idl": idl})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    return server, f"http://127.0.0.1:{server.server_port}/{token}/"


class _Handler(BaseHTTPRequestHandler):
    bench: Bench
    token: str
    idl: str

    def do_GET(self) -> None:
        if not self._is_local() or urlsplit(self.path).path != f"/{self.token}/":
            self._send(HTTPStatus.NOT_FOUND, b"open the address that lakecodec serve printed", "text/plain")
            return
        served = json.dumps({"token": self.token, "idl": self.idl})
        page = page_text(
            "lakecodec serve", 'const served = JSON.parse(byId("data").textContent);\nopenBench();', served, "serve.js"
        )
        self._send(HTTPStatus.OK, page.encode(), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        actions: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            name: getattr(self.bench, name) for name in ("files", "idl", "tree", "save")
        }
        size = int(self.headers.get("Content-Length", "0") or 0)
        name = urlsplit(self.path).path.rpartition("/")[2]
        given = self.headers.get("X-Lakecodec-Token", "")
        if not self._is_local() or not secrets.compare_digest(given.encode(), self.token.encode()):
            self._send(HTTPStatus.FORBIDDEN, b"{}")
        elif name not in actions or size > _MOST_BYTES:
            self._send(HTTPStatus.BAD_REQUEST, b"{}")
        else:
            self._answer(actions[name], self.rfile.read(size))

    def _answer(self, action: Callable[[dict[str, Any]], dict[str, Any]], body: bytes) -> None:
        try:
            asked = json.loads(body)
            found = action({key: str(asked.get(key, "")) for key in ("file", "idl", "text", "type")})
        except (OSError, ValueError, AttributeError) as error:
            found = {"messages": [_message(str(error))]}
        self._send(HTTPStatus.OK, json.dumps(found, ensure_ascii=False).encode(errors="surrogatepass"))

    def _is_local(self) -> bool:
        """Returns whether the request names this machine: another page may use a name that leads here."""
        return (self.headers.get("Host") or "").rpartition(":")[0] in ("127.0.0.1", "localhost")

    def _send(self, status: HTTPStatus, data: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'"
        headers = {
            "Content-Type": kind, "Content-Length": str(len(data)), "Cache-Control": "no-store",
            "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        }  # fmt: skip
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Logs no requests."""
