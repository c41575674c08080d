"""`lakecodec serve`: what its page does, and what it gives to nobody else."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lakecodec.cli.app import run
from lakecodec.workbench.serving import server_of

from .test_page import BROWSER
from .web_driver import DRIVER, Browser

IDL = """/** A log. */
record Log : little {
  u8 n = count(items);
  Item items[n];
}
/** An entry. */
record Item { u8 size = size(text); utf8 text[size]; }
"""
DATA = b"\x02\x02ab\x03cde"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "inside"
    (inside / "deep").mkdir(parents=True)
    (inside / ".git").mkdir()
    (inside / ".git" / "config").write_text("secret")
    (inside / "log.idl").write_text(IDL)
    (inside / "deep" / "day.log").write_bytes(DATA)
    (tmp_path / "outside.idl").write_text(IDL)
    (inside / "link.idl").symlink_to(tmp_path / "outside.idl")
    return inside


class Client:
    def __init__(self, address: str) -> None:
        self.address = address
        self.token = address.rstrip("/").rpartition("/")[2]

    def ask(self, action: str, headers: dict[str, str] | None = None, **body: Any) -> Any:
        given = {"X-Lakecodec-Token": self.token} if headers is None else headers
        request = urllib.request.Request(self.address + action, json.dumps(body).encode(), given)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


@pytest.fixture
def client(folder: Path) -> Iterator[Client]:
    server, address = server_of(folder, idl="log.idl")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Client(address)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_files_and_trees(client: Client) -> None:
    assert client.ask("files") == {"files": ["deep/day.log"], "idls": ["link.idl", "log.idl"]}
    assert client.ask("idl", file="log.idl") == {"text": IDL}
    found = client.ask("tree", file="deep/day.log", idl="log.idl", text=IDL)
    assert (found["types"], found["messages"]) == (["Log", "Item"], [])
    assert found["page"]["title"] == "day.log"
    item = client.ask("tree", file="deep/day.log", idl="log.idl", text=IDL, type="Item")
    assert item["page"]["files"][0]["format"] == "idl.Item"


def test_what_is_wrong(client: Client) -> None:
    broken = client.ask("tree", file="deep/day.log", idl="log.idl", text=IDL.replace("Item items", "Itm items"))
    assert [(each["line"], each["column"], each["isError"]) for each in broken["messages"]] == [(4, 3, True)]
    assert "did you mean 'Item'" in broken["messages"][0]["text"]
    short = client.ask("tree", file="deep/day.log", idl="log.idl", text=IDL.replace("u8 n", "u16 n"))
    assert short["page"]
    assert "items: 514 elements do not fit" in short["messages"][0]["text"]
    alone = client.ask("tree", file="deep/day.log", idl="", text="")
    assert "not recognised" in alone["messages"][0]["text"]
    ran = client.ask("tree", file="deep/day.log", idl="log.idl", text=IDL + 'codec c "os:system";')
    assert "os" in ran["messages"][0]["text"]


def test_nothing_outside_the_folder(client: Client, folder: Path) -> None:
    for name in ("../outside.idl", str(folder.parent / "outside.idl"), "link.idl", ".git/config"):
        assert "is outside of the folder" in client.ask("idl", file=name)["messages"][0]["text"]
        assert "is outside of the folder" in client.ask("save", file=name, text="gone")["messages"][0]["text"]
    assert "is not an IDL file" in client.ask("save", file="deep/day.log", text="gone")["messages"][0]["text"]
    assert (folder / "deep" / "day.log").read_bytes() == DATA
    assert (folder.parent / "outside.idl").read_text() == IDL


def test_saving(client: Client, folder: Path) -> None:
    assert client.ask("save", file="log.idl", text="// new\r\n")["messages"] == [
        {"text": "saved log.idl", "isError": False}
    ]
    assert (folder / "log.idl").read_bytes() == b"// new\r\n"
    assert sorted(each.name for each in folder.iterdir()) == [".git", "deep", "link.idl", "log.idl"]


def test_who_does_not_know_the_token(client: Client) -> None:
    root = client.address.replace(client.token + "/", "")
    for address in (root, root + "wrong/", root + "log.idl"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(address)
        assert refused.value.code == 404
    for headers in ({}, {"X-Lakecodec-Token": "wrong"}, {"X-Lakecodec-Token": client.token, "Host": "evil.example"}):
        with pytest.raises(urllib.error.HTTPError) as refused:
            client.ask("files", headers)
        assert refused.value.code == 403
    with urllib.request.urlopen(client.address) as answer:
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_wrong_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", str(tmp_path / "nothing")]) == 2
    assert "name the one that has the files" in capsys.readouterr().err


@pytest.mark.skipif(not (BROWSER and DRIVER), reason="there is no browser to drive: apt-get install chromium-driver")
def test_typing_draws_the_page_anew(client: Client, folder: Path) -> None:
    with Browser(str(BROWSER)) as browser:
        browser.open(client.address)
        browser.until("active && active.lines.length > 2")
        assert browser.run("return document.getElementById('idl').value") == "log.idl"
        change = """const box = document.getElementById("idl-text");
        box.value = box.value.replace(arguments[0], arguments[1]); box.dispatchEvent(new Event("input"));"""
        browser.run("active.select(active.source.find('items[1].text'))")
        browser.run(change, "count(items);\n  Item items[n]", "count(entries);\n  Item entries[n]")
        browser.until("active.source.find('entries[1]')")
        browser.run(change, "Item entries", "Itm entries")
        browser.until("document.getElementById('messages').textContent.includes('did you mean')")
        assert browser.run("return Boolean(active.source.find('entries[1]'))")
        browser.run("document.querySelector('#messages button').click()")
        assert browser.run("return document.activeElement.id") == "idl-text"
        browser.run(change, "Itm entries", "Item entries")
        browser.until("!document.getElementById('messages').textContent")
        assert (folder / "log.idl").read_text() == IDL
        browser.run("document.getElementById('save').click()")
        browser.until("document.getElementById('messages').textContent.includes('saved')")
        assert "Item entries[n]" in (folder / "log.idl").read_text()
