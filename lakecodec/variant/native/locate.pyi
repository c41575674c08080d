from typing import Any

def locate(
    steps: list[str | int], metadata_offsets: Any, metadata: Any, value_offsets: Any, value: Any, places: Any
) -> int: ...
