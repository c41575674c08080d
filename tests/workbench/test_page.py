"""The HTML page of a tree: what it holds, and how it behaves in a browser."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from lakecodec.cli.app import run
from lakecodec.workbench import explore
from lakecodec.workbench.page import page_of

from ..mosaic import examples
from ..parquet.files import arrow_file, flat_table

MOSAIC = bytes.fromhex(examples.PAGED[2])
BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)

#: What a person does: clicks a field and a byte, opens a decoded block, uses the keyboard, searches. Each step tells what is
#: selected, which bytes are marked and what the page says of it.
SCRIPT = """
<script>
const told = [], marked = () => [...document.querySelectorAll(".row i.on")].map(each => Number(each.dataset.offset));
const say = () => told.push([selected[PATH], view, marked(), byId("about").textContent]);
const press = key => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const line = path => lines.find(each => each[0][PATH] === path)[1];
line("footer").click(); say();
line("footer").click(); line("footer.magic").click(); say();
document.querySelector(`.row i[data-offset="0"]`)?.click(); say();
hexBox.scrollTop = rows.length * HEIGHT; drawHex();
document.querySelector(`.row i[data-offset="${page.views[0].size - 9}"]`).click(); say();
press("ArrowUp"); say(); press("ArrowLeft"); say(); press("ArrowLeft"); press("ArrowLeft"); say();
byId("search").value = "columns[1].name"; search("columns[1].name"); say();
press("Escape"); say(); press("Enter"); say();
press("n"); say();
const out = document.createElement("pre"); out.id = "told"; out.textContent = JSON.stringify(told); document.body.append(out);
</script>
"""


def data_of(page: str) -> dict[str, Any]:
    (text,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)
    found: dict[str, Any] = json.loads(text)
    return found


def test_the_page_has_fields_and_bytes() -> None:
    data = data_of(page_of(explore(MOSAIC)))
    assert data["format"] == "mosaic.File"
    views = data["views"]
    assert [(view["path"], view["codec"]) for view in views] == [
        ("", ""), ("buckets[0][0].data.body.slots[0].page", "zstd"), ("buckets[0][0].data.body.slots[1].page", "zstd"),
        ("schema.body", "block"),
    ]  # fmt: skip
    assert b"".join(base64.b64decode(text) for _, text in views[0]["pages"]) == MOSAIC
    assert views[3]["root"][3] == views[3]["size"] == explore(MOSAIC).find("schema.inflated").value


def test_the_page_needs_no_network() -> None:
    page = page_of(explore(MOSAIC))
    assert not re.findall(r"https?://|src=|@import|url\(", page)


def test_pages_of_large_files_say_what_they_leave_out() -> None:
    tree = explore(arrow_file(flat_table(), row_group_size=2))
    page = page_of(tree)
    assert len(page) < 20_000_000
    data = data_of(page)
    (meta,) = [each for each in data["views"][0]["root"][11] if each[0] == "meta"]
    assert meta[3] == tree.find("meta").size


def test_text_of_a_file_is_no_markup() -> None:
    from lakecodec.generated.parquet import KeyValue

    page = page_of(explore(KeyValue(key="</script><b>", value="DATA TITLE").to_bytes(), KeyValue))
    assert "</script><b>" not in page
    assert "</script><b>" in str(data_of(page))


def test_command(tmp_path: Path) -> None:
    file, out = tmp_path / "x.mosaic", tmp_path / "x.html"
    file.write_bytes(MOSAIC)
    assert run(["explore", str(file), "--html", str(out)]) == 0
    assert "<title>x.mosaic</title>" in out.read_text(encoding="utf-8")


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium: apt-get install chromium")
def test_in_a_browser(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(page_of(explore(MOSAIC)).replace("</body>", f"{SCRIPT}</body>"), encoding="utf-8")
    command = [
        str(BROWSER),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=1400,900",
        "--dump-dom",
        file.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    (text,) = re.findall(r'<pre id="told">(.*?)</pre>', done.stdout, re.S)
    told = json.loads(text.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))
    size = len(MOSAIC)
    footer = list(range(size - 32, size))
    assert told[0][:3] == ["footer", 0, footer]
    assert "The last bytes of a file." in told[0][3]
    assert told[1][:3] == ["footer.magic", 0, footer[-4:]]
    assert "rule: bad magic bytes" in told[1][3]
    assert told[2][0].startswith("buckets[0][0].data.body.directory.slot_sizes[0]")
    assert told[3][:3] == ["footer.num_row_groups", 0, footer[20:24]]
    assert [each[0] for each in told[4:7]] == ["footer.num_buckets", "footer", ""]
    assert told[7][:2] == ["schema.body.columns[1].name", 3]
    assert told[8][:2] == ["schema.body", 0]
    assert told[9][:2] == ["schema.body", 3]
    assert told[10][1] == 3
    assert told[10][0].startswith("schema.body.columns[1].name.")
