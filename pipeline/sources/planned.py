"""A scan that is planned where it is asked for; the processes that Spark plans it in only hand it on.

They are new for each query, and what they import takes longer than most plans. The plan is an option: two reads through
one registered class would share what the class holds.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import pickle
import secrets
import zlib
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakSet

from pyspark.sql.datasource import DataSource, DataSourceReader

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    from .file_reader import FileReader

#: Of this process: a plan that anybody else made is not unpickled.
_KEY = secrets.token_bytes(32)
_SIGNATURE_BYTES = 32
_REGISTERED: WeakSet[SparkSession] = WeakSet()


class PlannedSource(DataSource):
    """The rows of the plan in the option ``plan``; ``key`` is what its maker signs plans with."""

    key: ClassVar[bytes]

    @classmethod
    def name(cls) -> str:
        return "lakecodec_planned"

    def reader(self, schema: StructType) -> DataSourceReader:
        signed = base64.b64decode(self.options["plan"])
        signature, data = signed[:_SIGNATURE_BYTES], signed[_SIGNATURE_BYTES:]
        if not hmac.compare_digest(signature, _sign(self.key, data)):
            raise ValueError("plan: it was not made by this session; use lakecodec.pipeline.read")
        reader: FileReader = pickle.loads(zlib.decompress(data))
        return reader


def planned_frame(spark: SparkSession, reader: FileReader, schema: StructType) -> DataFrame:
    """The rows that ``reader`` reads, which are of ``schema``."""
    if spark not in _REGISTERED:
        members: dict[str, Any] = {"key": _KEY, "__module__": __name__}
        spark.dataSource.register(type(PlannedSource.__name__, (PlannedSource,), members))
        _REGISTERED.add(spark)
    data = zlib.compress(pickle.dumps(reader), 1)
    plan = base64.b64encode(_sign(_KEY, data) + data).decode()
    return spark.read.format(PlannedSource.name()).schema(schema).option("plan", plan).load()


def _sign(key: bytes, data: bytes) -> bytes:
    return hmac.digest(key, data, hashlib.sha256)
