"""Files of the formats of the gallery, of sizes that programs meet, or lists of such; the same in every run."""

from __future__ import annotations

import random
import shutil
import struct
import zipfile
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.gallery.real_files import file_of


def pcap(_: Any) -> bytes:
    """5,000 packets."""
    generator = random.Random(1)
    head = struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    sizes = [generator.choice((60, 60, 590, 1500)) for _ in range(5_000)]
    return head + b"".join(struct.pack("<IIII", n, n, size, size) + bytes(size) for n, size in enumerate(sizes))


def gguf(module: Any) -> bytes:
    """A vocabulary of 10,000 words with a number each, and 300 small tensors."""
    value, text = module.Value, module.Text
    words = [value.STRING(v=text(text=f"word{n}")) for n in range(10_000)]
    scores = [value.F32(v=float(n)) for n in range(10_000)]
    pairs = [
        module.Pair(key=text(text="general.architecture"), content=value.STRING(v=text(text="llama"))),
        module.Pair(key=text(text="tokenizer.ggml.tokens"), content=value.LIST(item_type=8, items=words)),
        module.Pair(key=text(text="tokenizer.ggml.scores"), content=value.LIST(item_type=6, items=scores)),
    ]
    tensors = [
        module.Tensor(name=text(text=f"blk.{n}.attn.weight"), dimensions=[4, 4], type=0, start=n * 64)
        for n in range(300)
    ]
    data: bytes = module.File(version=3, pairs=pairs, tensors=tensors, data=bytes(300 * 64)).to_bytes()
    return data


def java_class(_: Any) -> bytes | None:
    """The largest class of Spark's core; None where Spark is not installed."""
    found = find_spec("pyspark")
    folder = None if found is None or found.origin is None else Path(found.origin).parent / "jars"
    jar = None if folder is None else next(folder.glob("spark-core_*.jar"), None)
    if jar is None:
        return None
    with zipfile.ZipFile(jar) as archive:
        classes = (each for each in archive.infolist() if each.filename.endswith(".class"))
        return archive.read(max(classes, key=lambda each: each.file_size))


def git_index(module: Any) -> bytes:
    """2,000 files."""
    generator, time = random.Random(2), module.Time(seconds=1_700_000_000, nanoseconds=5)
    paths = sorted(f"src/{generator.randrange(100)}/{generator.randrange(10**6)}.py" for _ in range(2_000))
    entries = [
        module.Entry(
            changed=time, modified=time, device=1, inode=n, mode=0o100644, user_id=0, group_id=0, file_size=n,
            hash=generator.randbytes(20), flags=len(path), path=path,
        )
        for n, path in enumerate(paths)
    ]  # fmt: skip
    data: bytes = module.File(version=2, entries=entries, extensions=[], checksum=bytes(20)).to_bytes()
    return data


def tzif(_: Any) -> list[bytes]:
    """Returns the zones of America, but three whose names are not in title case."""
    return [
        each.read_bytes()
        for each in (files("tzdata.zoneinfo") / "America").iterdir()
        if each.name.istitle() and each.is_file()
    ]


def dns() -> list[bytes]:
    """Returns 200 answers, in which names point to others."""
    from dns.message import make_query, make_response
    from dns.rrset import from_text

    messages: list[bytes] = []
    for n in range(200):
        zone = f"example{n % 50}.com."
        found = make_response(make_query(f"www{n % 17}.{zone}", "A", id=n))
        found.answer.append(from_text(f"www{n % 17}.{zone}", 300, "IN", "CNAME", f"web.{zone}"))
        found.answer.append(from_text(f"web.{zone}", 300, "IN", "A", *[f"10.0.{n}.{i}" for i in range(1 + n % 4)]))
        found.authority.append(from_text(zone, 3600, "IN", "NS", f"ns1.{zone}", f"ns2.{zone}"))
        found.additional.append(from_text(f"ns1.{zone}", 3600, "IN", "A", "10.1.1.1"))
        found.additional.append(from_text(f"ns2.{zone}", 3600, "IN", "AAAA", "2001:db8::1"))
        messages.append(found.to_wire())
    return messages


SAMPLES = {"pcap": pcap, "gguf": gguf, "java_class": java_class, "git_index": git_index, "tzif": tzif}

_FILES = Path(__file__).parent.parent / "tests" / "data" / "gallery"
#: Files of formats that are compared in writing alone; of others, the tests' file.
_WRITTEN = {"terminfo": "xterm-256color.terminfo", "gif": "three.gif"}


def written(name: str, module: Any) -> bytes | None:
    """Returns the file of a format that is compared in writing alone; of Kafka's log the batches that are not compressed.

    None for a program or a font that this machine does not have.
    """
    if name == "elf":
        found = shutil.which("true")
        data = b"" if found is None else Path(found).read_bytes()
        return data if data.startswith(b"\x7fELF\2\1") else None
    if name == "truetype":
        return _font()
    if name == "kafka":
        batches = module.File.from_bytes(file_of(name)).batches
        kept = [each for each in batches if not each.body.compression]
        return bytes(module.File(batches=kept).to_bytes())
    return (_FILES / _WRITTEN[name]).read_bytes() if name in _WRITTEN else file_of(name)


def _font() -> bytes | None:
    """Returns a font of matplotlib; None if that is not installed."""
    found = find_spec("matplotlib")
    if found is None or found.origin is None:
        return None
    return (Path(found.origin).parent / "mpl-data/fonts/ttf/DejaVuSansMono-Oblique.ttf").read_bytes()
