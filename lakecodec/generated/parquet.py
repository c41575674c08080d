# Generated from parquet.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:e6c961f17f5bbb9e96fdabe0273721085ceb7faf515ae130525822a677dbd900
"""The metadata of Apache Parquet files: footer, page headers, page index, Bloom filter headers and encryption
records.

Every struct is written bare in Thrift's compact protocol. Sizes and offsets are in bytes, offsets count from
the start of the file. Ids, types, requiredness and defaults are those of the official definition after
release 2.13.
"""

from __future__ import annotations

import enum as _enum

from ..runtime import compact as _rt
from ..runtime import spec as _spec


class Type(_enum.IntEnum):
    """Physical type: how the values of a leaf column are stored, before any encoding."""

    # One bit a value, false is 0.
    BOOLEAN = 0
    # 4 bytes, little-endian, two's complement; narrower and unsigned integers are stored in it too.
    INT32 = 1
    # 8 bytes, little-endian, two's complement.
    INT64 = 2
    # 12 bytes, used by old writers for timestamps (nanoseconds of the day, then Julian day). Deprecated.
    INT96 = 3
    # IEEE 754 single precision, little-endian.
    FLOAT = 4
    # IEEE 754 double precision, little-endian.
    DOUBLE = 5
    # Bytes of any length; the plain encoding puts a 4-byte little-endian length in front.
    BYTE_ARRAY = 6
    # As many bytes as SchemaElement.type_length says, without a length in front.
    FIXED_LEN_BYTE_ARRAY = 7


class ConvertedType(_enum.IntEnum):
    """Older form of the logical type, deprecated in favour of LogicalType; writers still set it for old readers."""

    # BYTE_ARRAY that holds UTF-8 text.
    UTF8 = 0
    # Group of a map: one repeated group of key and value inside.
    MAP = 1
    # The repeated key and value group of a map.
    MAP_KEY_VALUE = 2
    # Group of a list: one repeated field inside.
    LIST = 3
    # BYTE_ARRAY that holds the name of an enumeration's member.
    ENUM = 4
    # Unscaled integer; SchemaElement.scale and precision go with it. Big-endian where stored as bytes.
    DECIMAL = 5
    # INT32 with the days since 1970-01-01.
    DATE = 6
    # INT32 with the milliseconds since midnight.
    TIME_MILLIS = 7
    # INT64 with the microseconds since midnight.
    TIME_MICROS = 8
    # INT64 with the milliseconds since 1970-01-01T00:00:00 UTC.
    TIMESTAMP_MILLIS = 9
    # INT64 with the microseconds since 1970-01-01T00:00:00 UTC.
    TIMESTAMP_MICROS = 10
    # INT32 that uses 8 bits, unsigned.
    UINT_8 = 11
    # INT32 that uses 16 bits, unsigned.
    UINT_16 = 12
    # INT32 read as unsigned.
    UINT_32 = 13
    # INT64 read as unsigned.
    UINT_64 = 14
    # INT32 that uses 8 bits, signed.
    INT_8 = 15
    # INT32 that uses 16 bits, signed.
    INT_16 = 16
    # INT32 as it is, signed.
    INT_32 = 17
    # INT64 as it is, signed.
    INT_64 = 18
    # BYTE_ARRAY that holds a JSON document in UTF-8.
    JSON = 19
    # BYTE_ARRAY that holds a BSON document.
    BSON = 20
    # 12 fixed bytes: months, days and milliseconds as unsigned 32-bit little-endian numbers.
    INTERVAL = 21


class FieldRepetitionType(_enum.IntEnum):
    """How often a field occurs within its parent."""

    # Exactly once; never null, adds no level.
    REQUIRED = 0
    # Once or not at all; adds one definition level.
    OPTIONAL = 1
    # Any number of times; adds one definition and one repetition level.
    REPEATED = 2


class EdgeInterpolationAlgorithm(_enum.IntEnum):
    """How an edge between two points of a GEOGRAPHY value runs."""

    # Great circles on a sphere; the meaning of an absent algorithm.
    SPHERICAL = 0
    # Vincenty's formulae on the ellipsoid.
    VINCENTY = 1
    # Thomas' series for geodesics.
    THOMAS = 2
    # Andoyer's approximation, as Lambert's formula uses it.
    ANDOYER = 3
    # Karney's algorithm, as in GeographicLib.
    KARNEY = 4


class Encoding(_enum.IntEnum):
    """How the values or levels of a page are turned into bytes. Number 1 (GROUP_VAR_INT) was never used."""

    # Values one after the other in their physical form.
    PLAIN = 0
    # Old name of dictionary encoding, deprecated: RLE_DICTIONARY in data pages, PLAIN in the dictionary page.
    PLAIN_DICTIONARY = 2
    # Runs mixed with bit-packed groups; for levels and booleans.
    RLE = 3
    # Bit packing only, high bit first; for levels. Deprecated, RLE covers it.
    BIT_PACKED = 4
    # Differences of integers, packed in blocks.
    DELTA_BINARY_PACKED = 5
    # All lengths as DELTA_BINARY_PACKED, then all bytes.
    DELTA_LENGTH_BYTE_ARRAY = 6
    # Lengths shared with the previous value as DELTA_BINARY_PACKED, then the suffixes as DELTA_LENGTH_BYTE_ARRAY.
    DELTA_BYTE_ARRAY = 7
    # Indexes into the dictionary page: one byte with the bit width, then RLE.
    RLE_DICTIONARY = 8
    # First bytes of all values, then all second bytes, and so on; it helps the compressor, it saves nothing itself.
    BYTE_STREAM_SPLIT = 9
    # Adaptive lossless floating point: decimals packed as integers with exceptions. In preview.
    ALP = 10


class CompressionCodec(_enum.IntEnum):
    """Compression of page bodies; one codec for a whole column chunk."""

    # Bodies are stored as they are.
    UNCOMPRESSED = 0
    # Raw Snappy, without its stream framing.
    SNAPPY = 1
    # Gzip members (RFC 1952).
    GZIP = 2
    # LZO1X; hardly any reader has it.
    LZO = 3
    # Brotli streams (RFC 7932).
    BROTLI = 4
    # LZ4 with Hadoop's undocumented framing. Deprecated in favour of LZ4_RAW.
    LZ4 = 5
    # Zstandard frames (RFC 8878).
    ZSTD = 6
    # The LZ4 block format without framing.
    LZ4_RAW = 7


class PageType(_enum.IntEnum):
    """What a page holds; tells which of PageHeader's own headers is set."""

    # Values and levels, compressed together (DataPageHeader).
    DATA_PAGE = 0
    # Set aside for indexes inside a chunk and never put to use.
    INDEX_PAGE = 1
    # The chunk's dictionary, at most one and in front of all data pages.
    DICTIONARY_PAGE = 2
    # Values compressed, levels not (DataPageHeaderV2).
    DATA_PAGE_V2 = 3


class BoundaryOrder(_enum.IntEnum):
    """Order of the lists of minima and maxima in a ColumnIndex, pages without values left out."""

    # Nothing is known: a reader looks at every page.
    UNORDERED = 0
    # Both lists rise or stay equal, so that a binary search works.
    ASCENDING = 1
    # Both lists fall or stay equal.
    DESCENDING = 2


class Statistics(_rt.Struct):
    """Statistics of a column chunk or of a page; anything may be left out.

    Values are in plain encoding, byte arrays without the length in front. Whether min_value and max_value can be
    compared at all is said by the column's ColumnOrder; a NaN bound is to be ignored.

    Attributes:
        max: Largest value by signed comparison, deprecated: to be trusted only where the column's order is
            signed.
        min: Smallest value by signed comparison, deprecated as max is.
        null_count: Nulls among the values; not negative. Absent means unknown, which is not 0.
        distinct_count: Distinct values other than null; not negative.
        max_value: Upper bound in the column's order: the largest value, or something greater and shorter.
        min_value: Lower bound in the column's order: the smallest value, or something less and shorter.
        is_max_value_exact: Whether max_value occurs in the column; absent means unknown.
        is_min_value_exact: Whether min_value occurs in the column; absent means unknown.
        nan_count: NaNs among the values of a FLOAT, DOUBLE or FLOAT16 column; not negative. Absent means unknown.
    """

    __slots__ = (
        "max",
        "min",
        "null_count",
        "distinct_count",
        "max_value",
        "min_value",
        "is_max_value_exact",
        "is_min_value_exact",
        "nan_count",
    )
    max: bytes | None
    min: bytes | None
    null_count: int | None
    distinct_count: int | None
    max_value: bytes | None
    min_value: bytes | None
    is_max_value_exact: bool | None
    is_min_value_exact: bool | None
    nan_count: int | None

    def __init__(
        self,
        *,
        max: bytes | None = None,
        min: bytes | None = None,
        null_count: int | None = None,
        distinct_count: int | None = None,
        max_value: bytes | None = None,
        min_value: bytes | None = None,
        is_max_value_exact: bool | None = None,
        is_min_value_exact: bool | None = None,
        nan_count: int | None = None,
    ) -> None:
        self.max = max
        self.min = min
        self.null_count = null_count
        self.distinct_count = distinct_count
        self.max_value = max_value
        self.min_value = min_value
        self.is_max_value_exact = is_max_value_exact
        self.is_min_value_exact = is_min_value_exact
        self.nan_count = nan_count


class SizeStatistics(_rt.Struct):
    """What a column chunk takes in memory once decoded: bytes of its byte arrays and how often each level occurs.

    Attributes:
        unencoded_byte_array_data_bytes: Bytes of all BYTE_ARRAY values as plain encoding would hold them, lengths
            not counted; not for other types.
        repetition_level_histogram: Occurrences of each repetition level, maximum level + 1 of them; may be left
            out if that maximum is 0.
        definition_level_histogram: Occurrences of each definition level, maximum level + 1 of them; may be left
            out if that maximum is 0 or 1.
    """

    __slots__ = ("unencoded_byte_array_data_bytes", "repetition_level_histogram", "definition_level_histogram")
    unencoded_byte_array_data_bytes: int | None
    repetition_level_histogram: list[int] | None
    definition_level_histogram: list[int] | None

    def __init__(
        self,
        *,
        unencoded_byte_array_data_bytes: int | None = None,
        repetition_level_histogram: list[int] | None = None,
        definition_level_histogram: list[int] | None = None,
    ) -> None:
        self.unencoded_byte_array_data_bytes = unencoded_byte_array_data_bytes
        self.repetition_level_histogram = repetition_level_histogram
        self.definition_level_histogram = definition_level_histogram


class BoundingBox(_rt.Struct):
    """Bounds of all geometries of a chunk, in the units of the column's coordinate reference system.

    Attributes:
        xmin: Least x (easting or longitude); greater than xmax where a geography crosses the antimeridian.
        xmax: Greatest x (easting or longitude).
        ymin: Least y (northing or latitude).
        ymax: Greatest y (northing or latitude).
        zmin: Least z (height), if the geometries have one.
        zmax: Greatest z (height), set together with zmin.
        mmin: Least m (a measure that the application defines), if the geometries have one.
        mmax: Greatest m, set together with mmin.
    """

    __slots__ = ("xmin", "xmax", "ymin", "ymax", "zmin", "zmax", "mmin", "mmax")
    xmin: float
    xmax: float
    ymin: float
    ymax: float
    zmin: float | None
    zmax: float | None
    mmin: float | None
    mmax: float | None

    def __init__(
        self,
        *,
        xmin: float = _rt.UNSET,
        xmax: float = _rt.UNSET,
        ymin: float = _rt.UNSET,
        ymax: float = _rt.UNSET,
        zmin: float | None = None,
        zmax: float | None = None,
        mmin: float | None = None,
        mmax: float | None = None,
    ) -> None:
        self.xmin = xmin
        self.xmax = xmax
        self.ymin = ymin
        self.ymax = ymax
        self.zmin = zmin
        self.zmax = zmax
        self.mmin = mmin
        self.mmax = mmax


class GeospatialStatistics(_rt.Struct):
    """Statistics of a GEOMETRY or GEOGRAPHY column chunk.

    Attributes:
        bbox: Bounds of all values; absent if they are not known.
        geospatial_types: The WKB codes of all geometry types that occur (1 point, 2 line string, ... 1001 with
            z); empty means unknown.
    """

    __slots__ = ("bbox", "geospatial_types")
    bbox: BoundingBox | None
    geospatial_types: list[int] | None

    def __init__(
        self,
        *,
        bbox: BoundingBox | None = None,
        geospatial_types: list[int] | None = None,
    ) -> None:
        self.bbox = bbox
        self.geospatial_types = geospatial_types


class StringType(_rt.Marker):
    """UTF-8 text in a BYTE_ARRAY."""

    __slots__ = ()


class UUIDType(_rt.Marker):
    """A UUID as 16 fixed bytes, most significant byte first."""

    __slots__ = ()


class MapType(_rt.Marker):
    """A group that is a map: one repeated group of a required key and a value."""

    __slots__ = ()


class ListType(_rt.Marker):
    """A group that is a list: one repeated group of one element."""

    __slots__ = ()


class EnumType(_rt.Marker):
    """The name of an enumeration's member, UTF-8 in a BYTE_ARRAY."""

    __slots__ = ()


class DateType(_rt.Marker):
    """Days since 1970-01-01 in an INT32."""

    __slots__ = ()


class Float16Type(_rt.Marker):
    """IEEE 754 half precision in 2 fixed bytes, little-endian."""

    __slots__ = ()


class NullType(_rt.Marker):
    """A column that holds nothing but nulls; the physical type is then a guess."""

    __slots__ = ()


class DecimalType(_rt.Struct):
    """An exact decimal: an unscaled integer in an INT32, an INT64, fixed bytes or a BYTE_ARRAY. The last two hold it
    big-endian, in two's complement.

    Attributes:
        scale: Digits after the decimal point; 0 <= scale <= precision. Repeated in SchemaElement.scale for old
            readers.
        precision: Most digits in all; at least 1 and no more than the physical type holds (9 for INT32, 18 for
            INT64).
    """

    __slots__ = ("scale", "precision")
    scale: int
    precision: int

    def __init__(
        self,
        *,
        scale: int = _rt.UNSET,
        precision: int = _rt.UNSET,
    ) -> None:
        self.scale = scale
        self.precision = precision


class MilliSeconds(_rt.Marker):
    """Thousandths of a second."""

    __slots__ = ()


class MicroSeconds(_rt.Marker):
    """Millionths of a second."""

    __slots__ = ()


class NanoSeconds(_rt.Marker):
    """Billionths of a second."""

    __slots__ = ()


class TimeUnit(_rt.Union):
    """The unit of a time or timestamp.

    Attributes:
        MILLIS: Milliseconds: INT32 for times, INT64 for timestamps.
        MICROS: Microseconds: INT64.
        NANOS: Nanoseconds: INT64.
    """

    __slots__ = ()

    @classmethod
    def MILLIS(cls, value: MilliSeconds | None = None) -> TimeUnit:
        return cls._member("MILLIS", 1, value)

    @classmethod
    def MICROS(cls, value: MicroSeconds | None = None) -> TimeUnit:
        return cls._member("MICROS", 2, value)

    @classmethod
    def NANOS(cls, value: NanoSeconds | None = None) -> TimeUnit:
        return cls._member("NANOS", 3, value)


class TimestampType(_rt.Struct):
    """A point in time or, without time zone, a date with a time of day; an INT64 that counts from
    1970-01-01T00:00:00.

    Attributes:
        isAdjustedToUTC: True: an instant that counts from the epoch in UTC. False: local date and time in no
            particular zone.
        unit: What one step of the stored integer is.
    """

    __slots__ = ("isAdjustedToUTC", "unit")
    isAdjustedToUTC: bool
    unit: TimeUnit

    def __init__(
        self,
        *,
        isAdjustedToUTC: bool = _rt.UNSET,
        unit: TimeUnit = _rt.UNSET,
    ) -> None:
        self.isAdjustedToUTC = isAdjustedToUTC
        self.unit = unit


class TimeType(_rt.Struct):
    """A time of day, counted from midnight.

    Attributes:
        isAdjustedToUTC: True: the time is in UTC. False: local time in no particular zone.
        unit: What one step of the stored integer is; decides between INT32 (milliseconds) and INT64.
    """

    __slots__ = ("isAdjustedToUTC", "unit")
    isAdjustedToUTC: bool
    unit: TimeUnit

    def __init__(
        self,
        *,
        isAdjustedToUTC: bool = _rt.UNSET,
        unit: TimeUnit = _rt.UNSET,
    ) -> None:
        self.isAdjustedToUTC = isAdjustedToUTC
        self.unit = unit


class IntType(_rt.Struct):
    """An integer of a given width and sign in an INT32 (8, 16, 32 bits) or an INT64 (64 bits).

    Attributes:
        bitWidth: 8, 16, 32 or 64; all else is invalid.
        isSigned: Whether the values are signed.
    """

    __slots__ = ("bitWidth", "isSigned")
    bitWidth: int
    isSigned: bool

    def __init__(
        self,
        *,
        bitWidth: int = _rt.UNSET,
        isSigned: bool = _rt.UNSET,
    ) -> None:
        self.bitWidth = bitWidth
        self.isSigned = isSigned


class JsonType(_rt.Marker):
    """A JSON document, UTF-8 in a BYTE_ARRAY."""

    __slots__ = ()


class BsonType(_rt.Marker):
    """A BSON document in a BYTE_ARRAY."""

    __slots__ = ()


class VariantType(_rt.Struct):
    """A group that holds semi-structured values in the Variant encoding, shredded or not.

    Attributes:
        specification_version: Version of the Variant specification that the values follow.
    """

    __slots__ = ("specification_version",)
    specification_version: int | None

    def __init__(
        self,
        *,
        specification_version: int | None = None,
    ) -> None:
        self.specification_version = specification_version


class GeometryType(_rt.Struct):
    """A geometry with straight edges in a plane, as WKB in a BYTE_ARRAY.

    Attributes:
        crs: Coordinate reference system, such as "srid:3857" or "projjson:key"; absent means OGC:CRS84.
    """

    __slots__ = ("crs",)
    crs: str | None

    def __init__(
        self,
        *,
        crs: str | None = None,
    ) -> None:
        self.crs = crs


class GeographyType(_rt.Struct):
    """A geometry with edges on a globe, as WKB in a BYTE_ARRAY; x is longitude and y latitude, both in degrees.

    Attributes:
        crs: Coordinate reference system, a geographic one; absent means OGC:CRS84.
        algorithm: How edges run between points; absent means SPHERICAL.
    """

    __slots__ = ("crs", "algorithm")
    crs: str | None
    algorithm: EdgeInterpolationAlgorithm | int | None

    def __init__(
        self,
        *,
        crs: str | None = None,
        algorithm: EdgeInterpolationAlgorithm | int | None = None,
    ) -> None:
        self.crs = crs
        self.algorithm = algorithm


class FileType(_rt.Marker):
    """A group that stands for a range of bytes: in the value itself, elsewhere in this file, or in another file
    (2026).
    """

    __slots__ = ()


class LogicalType(_rt.Union):
    """What the values of a column or group mean. Supersedes ConvertedType, which is set as well where it can say the
    same.

    A reader that does not know a member treats the column as one of its physical type. Id 9 is held back for
    INTERVAL.

    Attributes:
        STRING: Text; with ConvertedType UTF8.
        MAP: A map; with ConvertedType MAP.
        LIST: A list; with ConvertedType LIST.
        ENUM: A member of an enumeration; with ConvertedType ENUM.
        DECIMAL: An exact decimal; with ConvertedType DECIMAL and SchemaElement.scale and precision.
        DATE: A date; with ConvertedType DATE.
        TIME: A time of day; with ConvertedType TIME_MILLIS or TIME_MICROS where the unit has one.
        TIMESTAMP: A timestamp; with ConvertedType TIMESTAMP_MILLIS or TIMESTAMP_MICROS where the unit has one.
        INTEGER: An integer with width and sign; with ConvertedType INT_8 to UINT_64.
        UNKNOWN: Only nulls; has no ConvertedType.
        JSON: A JSON document; with ConvertedType JSON.
        BSON: A BSON document; with ConvertedType BSON.
        UUID: A UUID; has no ConvertedType.
        FLOAT16: A half-precision number; has no ConvertedType.
        VARIANT: A semi-structured value; has no ConvertedType.
        GEOMETRY: A geometry in a plane; has no ConvertedType.
        GEOGRAPHY: A geometry on a globe; has no ConvertedType.
        FILE: A reference to bytes, often in another file; has no ConvertedType.
    """

    __slots__ = ()

    @classmethod
    def STRING(cls, value: StringType | None = None) -> LogicalType:
        return cls._member("STRING", 1, value)

    @classmethod
    def MAP(cls, value: MapType | None = None) -> LogicalType:
        return cls._member("MAP", 2, value)

    @classmethod
    def LIST(cls, value: ListType | None = None) -> LogicalType:
        return cls._member("LIST", 3, value)

    @classmethod
    def ENUM(cls, value: EnumType | None = None) -> LogicalType:
        return cls._member("ENUM", 4, value)

    @classmethod
    def DECIMAL(cls, value: DecimalType) -> LogicalType:
        return cls._member("DECIMAL", 5, value)

    @classmethod
    def DATE(cls, value: DateType | None = None) -> LogicalType:
        return cls._member("DATE", 6, value)

    @classmethod
    def TIME(cls, value: TimeType) -> LogicalType:
        return cls._member("TIME", 7, value)

    @classmethod
    def TIMESTAMP(cls, value: TimestampType) -> LogicalType:
        return cls._member("TIMESTAMP", 8, value)

    @classmethod
    def INTEGER(cls, value: IntType) -> LogicalType:
        return cls._member("INTEGER", 10, value)

    @classmethod
    def UNKNOWN(cls, value: NullType | None = None) -> LogicalType:
        return cls._member("UNKNOWN", 11, value)

    @classmethod
    def JSON(cls, value: JsonType | None = None) -> LogicalType:
        return cls._member("JSON", 12, value)

    @classmethod
    def BSON(cls, value: BsonType | None = None) -> LogicalType:
        return cls._member("BSON", 13, value)

    @classmethod
    def UUID(cls, value: UUIDType | None = None) -> LogicalType:
        return cls._member("UUID", 14, value)

    @classmethod
    def FLOAT16(cls, value: Float16Type | None = None) -> LogicalType:
        return cls._member("FLOAT16", 15, value)

    @classmethod
    def VARIANT(cls, value: VariantType) -> LogicalType:
        return cls._member("VARIANT", 16, value)

    @classmethod
    def GEOMETRY(cls, value: GeometryType) -> LogicalType:
        return cls._member("GEOMETRY", 17, value)

    @classmethod
    def GEOGRAPHY(cls, value: GeographyType) -> LogicalType:
        return cls._member("GEOGRAPHY", 18, value)

    @classmethod
    def FILE(cls, value: FileType | None = None) -> LogicalType:
        return cls._member("FILE", 19, value)


class DataPageHeader(_rt.Struct):
    """Header of a data page whose body (repetition levels, definition levels, values) is compressed as a whole.

    Attributes:
        num_values: Values of the page with nulls counted; not negative.
        encoding: Encoding of the values.
        definition_level_encoding: Encoding of the definition levels, RLE in practice; of no meaning if the
            maximum level is 0.
        repetition_level_encoding: Encoding of the repetition levels, RLE in practice; of no meaning if the
            maximum level is 0.
        statistics: Statistics of the page's values.
    """

    __slots__ = ("num_values", "encoding", "definition_level_encoding", "repetition_level_encoding", "statistics")
    num_values: int
    encoding: Encoding | int
    definition_level_encoding: Encoding | int
    repetition_level_encoding: Encoding | int
    statistics: Statistics | None

    def __init__(
        self,
        *,
        num_values: int = _rt.UNSET,
        encoding: Encoding | int = _rt.UNSET,
        definition_level_encoding: Encoding | int = _rt.UNSET,
        repetition_level_encoding: Encoding | int = _rt.UNSET,
        statistics: Statistics | None = None,
    ) -> None:
        self.num_values = num_values
        self.encoding = encoding
        self.definition_level_encoding = definition_level_encoding
        self.repetition_level_encoding = repetition_level_encoding
        self.statistics = statistics


class IndexPageHeader(_rt.Marker):
    """Header of an index page; empty, since index pages were never put to use."""

    __slots__ = ()


class DictionaryPageHeader(_rt.Struct):
    """Header of the dictionary page, the first page of a chunk that has one.

    Attributes:
        num_values: Entries of the dictionary; not negative.
        encoding: Encoding of the entries: PLAIN, or PLAIN_DICTIONARY with the same meaning in old files.
        is_sorted: Whether the entries rise; absent means unknown.
    """

    __slots__ = ("num_values", "encoding", "is_sorted")
    num_values: int
    encoding: Encoding | int
    is_sorted: bool | None

    def __init__(
        self,
        *,
        num_values: int = _rt.UNSET,
        encoding: Encoding | int = _rt.UNSET,
        is_sorted: bool | None = None,
    ) -> None:
        self.num_values = num_values
        self.encoding = encoding
        self.is_sorted = is_sorted


class DataPageHeaderV2(_rt.Struct):
    """Header of a data page of whole rows, whose levels stay uncompressed (always RLE, without a length in front).

    Attributes:
        num_values: Values of the page with nulls counted; not negative.
        num_nulls: Nulls of the page; 0 <= num_nulls <= num_values, and the data section holds num_values -
            num_nulls values.
        num_rows: Rows of the page; a page begins with a new row (repetition level 0).
        encoding: Encoding of the values.
        definition_levels_byte_length: Bytes of the definition levels; not negative, and with the repetition
            levels within the page.
        repetition_levels_byte_length: Bytes of the repetition levels, which come first; not negative.
        is_compressed: Whether the values after the levels are compressed with the chunk's codec; absent means
            true.
        statistics: Statistics of the page's values.
    """

    __slots__ = (
        "num_values",
        "num_nulls",
        "num_rows",
        "encoding",
        "definition_levels_byte_length",
        "repetition_levels_byte_length",
        "is_compressed",
        "statistics",
    )
    num_values: int
    num_nulls: int
    num_rows: int
    encoding: Encoding | int
    definition_levels_byte_length: int
    repetition_levels_byte_length: int
    is_compressed: bool | None
    statistics: Statistics | None

    def __init__(
        self,
        *,
        num_values: int = _rt.UNSET,
        num_nulls: int = _rt.UNSET,
        num_rows: int = _rt.UNSET,
        encoding: Encoding | int = _rt.UNSET,
        definition_levels_byte_length: int = _rt.UNSET,
        repetition_levels_byte_length: int = _rt.UNSET,
        is_compressed: bool | None = None,
        statistics: Statistics | None = None,
    ) -> None:
        self.num_values = num_values
        self.num_nulls = num_nulls
        self.num_rows = num_rows
        self.encoding = encoding
        self.definition_levels_byte_length = definition_levels_byte_length
        self.repetition_levels_byte_length = repetition_levels_byte_length
        self.is_compressed = is_compressed
        self.statistics = statistics


class PageHeader(_rt.Struct):
    """What stands in front of every page. Exactly one of fields 5 to 8 is set, the one that `type` names.

    Attributes:
        type: Kind of page.
        uncompressed_page_size: Bytes of the body after decompression, without this header; not negative.
        compressed_page_size: Bytes of the body as stored (compressed and encrypted), without this header; the
            next page follows them.
        crc: CRC-32 (the polynomial of gzip) of the body as stored; its 32 bits are kept in a signed integer.
        data_page_header: Set for DATA_PAGE.
        index_page_header: Set for INDEX_PAGE.
        dictionary_page_header: Set for DICTIONARY_PAGE.
        data_page_header_v2: Set for DATA_PAGE_V2.
    """

    __slots__ = (
        "type",
        "uncompressed_page_size",
        "compressed_page_size",
        "crc",
        "data_page_header",
        "index_page_header",
        "dictionary_page_header",
        "data_page_header_v2",
    )
    type: PageType | int
    uncompressed_page_size: int
    compressed_page_size: int
    crc: int | None
    data_page_header: DataPageHeader | None
    index_page_header: IndexPageHeader | None
    dictionary_page_header: DictionaryPageHeader | None
    data_page_header_v2: DataPageHeaderV2 | None

    def __init__(
        self,
        *,
        type: PageType | int = _rt.UNSET,
        uncompressed_page_size: int = _rt.UNSET,
        compressed_page_size: int = _rt.UNSET,
        crc: int | None = None,
        data_page_header: DataPageHeader | None = None,
        index_page_header: IndexPageHeader | None = None,
        dictionary_page_header: DictionaryPageHeader | None = None,
        data_page_header_v2: DataPageHeaderV2 | None = None,
    ) -> None:
        self.type = type
        self.uncompressed_page_size = uncompressed_page_size
        self.compressed_page_size = compressed_page_size
        self.crc = crc
        self.data_page_header = data_page_header
        self.index_page_header = index_page_header
        self.dictionary_page_header = dictionary_page_header
        self.data_page_header_v2 = data_page_header_v2


class PageLocation(_rt.Struct):
    """Where a data page stands and which row it begins with.

    Attributes:
        offset: Offset of the page's header.
        compressed_page_size: Bytes of header and body; unlike the field of this name in PageHeader it includes
            the header.
        first_row_index: First row of the page, counted from the start of the row group.
    """

    __slots__ = ("offset", "compressed_page_size", "first_row_index")
    offset: int
    compressed_page_size: int
    first_row_index: int

    def __init__(
        self,
        *,
        offset: int = _rt.UNSET,
        compressed_page_size: int = _rt.UNSET,
        first_row_index: int = _rt.UNSET,
    ) -> None:
        self.offset = offset
        self.compressed_page_size = compressed_page_size
        self.first_row_index = first_row_index


class OffsetIndex(_rt.Struct):
    """Places of all data pages of a column chunk, which lets a reader fetch single pages.

    Attributes:
        page_locations: One entry a data page, the dictionary page left out; offsets and row indexes rise.
        unencoded_byte_array_data_bytes: Bytes of the BYTE_ARRAY values of each page as SizeStatistics counts
            them; one entry a page.
    """

    __slots__ = ("page_locations", "unencoded_byte_array_data_bytes")
    page_locations: list[PageLocation]
    unencoded_byte_array_data_bytes: list[int] | None

    def __init__(
        self,
        *,
        page_locations: list[PageLocation] = _rt.UNSET,
        unencoded_byte_array_data_bytes: list[int] | None = None,
    ) -> None:
        self.page_locations = page_locations
        self.unencoded_byte_array_data_bytes = unencoded_byte_array_data_bytes


class ColumnIndex(_rt.Struct):
    """Bounds of all data pages of a column chunk; the lists have one entry a page, the same pages as OffsetIndex.

    Attributes:
        null_pages: Whether a page holds only nulls; its bounds are then empty bytes that mean nothing.
        min_values: Lower bounds of the pages, encoded as Statistics.min_value.
        max_values: Upper bounds of the pages, encoded as Statistics.max_value.
        boundary_order: Order that both lists of bounds follow.
        null_counts: Nulls of each page; not negative.
        repetition_level_histograms: Repetition level histograms of all pages, one after the other: (maximum level
            + 1) x pages numbers.
        definition_level_histograms: Definition level histograms of all pages, one after the other: (maximum level
            + 1) x pages numbers.
        nan_counts: NaNs of each page of a floating point column; not negative.
    """

    __slots__ = (
        "null_pages",
        "min_values",
        "max_values",
        "boundary_order",
        "null_counts",
        "repetition_level_histograms",
        "definition_level_histograms",
        "nan_counts",
    )
    null_pages: list[bool]
    min_values: list[bytes]
    max_values: list[bytes]
    boundary_order: BoundaryOrder | int
    null_counts: list[int] | None
    repetition_level_histograms: list[int] | None
    definition_level_histograms: list[int] | None
    nan_counts: list[int] | None

    def __init__(
        self,
        *,
        null_pages: list[bool] = _rt.UNSET,
        min_values: list[bytes] = _rt.UNSET,
        max_values: list[bytes] = _rt.UNSET,
        boundary_order: BoundaryOrder | int = _rt.UNSET,
        null_counts: list[int] | None = None,
        repetition_level_histograms: list[int] | None = None,
        definition_level_histograms: list[int] | None = None,
        nan_counts: list[int] | None = None,
    ) -> None:
        self.null_pages = null_pages
        self.min_values = min_values
        self.max_values = max_values
        self.boundary_order = boundary_order
        self.null_counts = null_counts
        self.repetition_level_histograms = repetition_level_histograms
        self.definition_level_histograms = definition_level_histograms
        self.nan_counts = nan_counts


class SplitBlockAlgorithm(_rt.Marker):
    """Split block Bloom filter: blocks of 256 bits, 8 of which a value sets."""

    __slots__ = ()


class BloomFilterAlgorithm(_rt.Union):
    """How a Bloom filter sets its bits.

    Attributes:
        BLOCK: Split block Bloom filter, the only one so far.
    """

    __slots__ = ()

    @classmethod
    def BLOCK(cls, value: SplitBlockAlgorithm | None = None) -> BloomFilterAlgorithm:
        return cls._member("BLOCK", 1, value)


class XxHash(_rt.Marker):
    """XXH64 with seed 0."""

    __slots__ = ()


class BloomFilterHash(_rt.Union):
    """The hash of a value's plain encoding that a Bloom filter looks up.

    Attributes:
        XXHASH: XXH64, the only one so far.
    """

    __slots__ = ()

    @classmethod
    def XXHASH(cls, value: XxHash | None = None) -> BloomFilterHash:
        return cls._member("XXHASH", 1, value)


class Uncompressed(_rt.Marker):
    """A bitset stored as it is."""

    __slots__ = ()


class BloomFilterCompression(_rt.Union):
    """Compression of a Bloom filter's bitset.

    Attributes:
        UNCOMPRESSED: No compression, the only choice so far.
    """

    __slots__ = ()

    @classmethod
    def UNCOMPRESSED(cls, value: Uncompressed | None = None) -> BloomFilterCompression:
        return cls._member("UNCOMPRESSED", 1, value)


class BloomFilterHeader(_rt.Struct):
    """Header of a Bloom filter; the bitset follows at once.

    Attributes:
        numBytes: Bytes of the bitset; a positive multiple of 32.
        algorithm: How bits are set.
        hash: How values are hashed.
        compression: How the bitset is compressed.
    """

    __slots__ = ("numBytes", "algorithm", "hash", "compression")
    numBytes: int
    algorithm: BloomFilterAlgorithm
    hash: BloomFilterHash
    compression: BloomFilterCompression

    def __init__(
        self,
        *,
        numBytes: int = _rt.UNSET,
        algorithm: BloomFilterAlgorithm = _rt.UNSET,
        hash: BloomFilterHash = _rt.UNSET,
        compression: BloomFilterCompression = _rt.UNSET,
    ) -> None:
        self.numBytes = numBytes
        self.algorithm = algorithm
        self.hash = hash
        self.compression = compression


class AesGcmV1(_rt.Struct):
    """AES-GCM for everything that is encrypted, page bodies too.

    Attributes:
        aad_prefix: Prefix of the additional authenticated data, if the file stores it.
        aad_file_unique: Bytes that make the authenticated data of this file unique.
        supply_aad_prefix: True: the file holds no prefix and the reader must be given it by other means.
    """

    __slots__ = ("aad_prefix", "aad_file_unique", "supply_aad_prefix")
    aad_prefix: bytes | None
    aad_file_unique: bytes | None
    supply_aad_prefix: bool | None

    def __init__(
        self,
        *,
        aad_prefix: bytes | None = None,
        aad_file_unique: bytes | None = None,
        supply_aad_prefix: bool | None = None,
    ) -> None:
        self.aad_prefix = aad_prefix
        self.aad_file_unique = aad_file_unique
        self.supply_aad_prefix = supply_aad_prefix


class AesGcmCtrV1(_rt.Struct):
    """AES-GCM for metadata and AES-CTR, which authenticates nothing, for page bodies.

    Attributes:
        aad_prefix: Prefix of the additional authenticated data, if the file stores it.
        aad_file_unique: Bytes that make the authenticated data of this file unique.
        supply_aad_prefix: True: the file holds no prefix and the reader must be given it by other means.
    """

    __slots__ = ("aad_prefix", "aad_file_unique", "supply_aad_prefix")
    aad_prefix: bytes | None
    aad_file_unique: bytes | None
    supply_aad_prefix: bool | None

    def __init__(
        self,
        *,
        aad_prefix: bytes | None = None,
        aad_file_unique: bytes | None = None,
        supply_aad_prefix: bool | None = None,
    ) -> None:
        self.aad_prefix = aad_prefix
        self.aad_file_unique = aad_file_unique
        self.supply_aad_prefix = supply_aad_prefix


class EncryptionAlgorithm(_rt.Union):
    """The cipher of a file.

    Attributes:
        AES_GCM_V1: AES-GCM throughout.
        AES_GCM_CTR_V1: AES-GCM for metadata, AES-CTR for pages.
    """

    __slots__ = ()

    @classmethod
    def AES_GCM_V1(cls, value: AesGcmV1) -> EncryptionAlgorithm:
        return cls._member("AES_GCM_V1", 1, value)

    @classmethod
    def AES_GCM_CTR_V1(cls, value: AesGcmCtrV1) -> EncryptionAlgorithm:
        return cls._member("AES_GCM_CTR_V1", 2, value)


class EncryptionWithFooterKey(_rt.Marker):
    """The column is encrypted with the key of the footer."""

    __slots__ = ()


class EncryptionWithColumnKey(_rt.Struct):
    """The column is encrypted with a key of its own.

    Attributes:
        path_in_schema: Path of the column, as in ColumnMetaData.
        key_metadata: What a key management system needs to find the key.
    """

    __slots__ = ("path_in_schema", "key_metadata")
    path_in_schema: list[str]
    key_metadata: bytes | None

    def __init__(
        self,
        *,
        path_in_schema: list[str] = _rt.UNSET,
        key_metadata: bytes | None = None,
    ) -> None:
        self.path_in_schema = path_in_schema
        self.key_metadata = key_metadata


class ColumnCryptoMetaData(_rt.Union):
    """Which key an encrypted column chunk needs; absent in ColumnChunk where the column is not encrypted.

    Attributes:
        ENCRYPTION_WITH_FOOTER_KEY: The footer's key.
        ENCRYPTION_WITH_COLUMN_KEY: A key of the column's own.
    """

    __slots__ = ()

    @classmethod
    def ENCRYPTION_WITH_FOOTER_KEY(cls, value: EncryptionWithFooterKey | None = None) -> ColumnCryptoMetaData:
        return cls._member("ENCRYPTION_WITH_FOOTER_KEY", 1, value)

    @classmethod
    def ENCRYPTION_WITH_COLUMN_KEY(cls, value: EncryptionWithColumnKey) -> ColumnCryptoMetaData:
        return cls._member("ENCRYPTION_WITH_COLUMN_KEY", 2, value)


class FileCryptoMetaData(_rt.Struct):
    """What stands in front of an encrypted footer (files that begin and end with "PARE"); itself never encrypted.

    Attributes:
        encryption_algorithm: The cipher of the file; a file with a plaintext footer keeps it in FileMetaData.
        key_metadata: What a key management system needs to find the footer's key.
    """

    __slots__ = ("encryption_algorithm", "key_metadata")
    encryption_algorithm: EncryptionAlgorithm
    key_metadata: bytes | None

    def __init__(
        self,
        *,
        encryption_algorithm: EncryptionAlgorithm = _rt.UNSET,
        key_metadata: bytes | None = None,
    ) -> None:
        self.encryption_algorithm = encryption_algorithm
        self.key_metadata = key_metadata


class SchemaElement(_rt.Struct):
    """One node of the schema tree. All nodes are stored in one list, parents before children, depth first.

    A leaf has `type` and no `num_children`; a group has `num_children` and no `type`. The first element is the
    root.

    Attributes:
        type: Physical type of a leaf; absent on groups.
        type_length: Bytes of a FIXED_LEN_BYTE_ARRAY value, greater than 0; without a settled meaning on other
            types.
        repetition_type: How often the field occurs; absent on the root only.
        name: Name of the field, unique among its siblings; the root's name means nothing.
        num_children: Direct children of a group; not negative. Absent on leaves.
        converted_type: Older form of logicalType, deprecated.
        scale: Digits after the decimal point of a DECIMAL, deprecated in favour of DecimalType.
        precision: Most digits of a DECIMAL, deprecated in favour of DecimalType.
        field_id: Id of the field in the schema that the file was written from (Iceberg and Protocol Buffers use
            it).
        logicalType: What the values mean; absent where the physical type says everything.
    """

    __slots__ = (
        "type",
        "type_length",
        "repetition_type",
        "name",
        "num_children",
        "converted_type",
        "scale",
        "precision",
        "field_id",
        "logicalType",
    )
    type: Type | int | None
    type_length: int | None
    repetition_type: FieldRepetitionType | int | None
    name: str
    num_children: int | None
    converted_type: ConvertedType | int | None
    scale: int | None
    precision: int | None
    field_id: int | None
    logicalType: LogicalType | None

    def __init__(
        self,
        *,
        type: Type | int | None = None,
        type_length: int | None = None,
        repetition_type: FieldRepetitionType | int | None = None,
        name: str = _rt.UNSET,
        num_children: int | None = None,
        converted_type: ConvertedType | int | None = None,
        scale: int | None = None,
        precision: int | None = None,
        field_id: int | None = None,
        logicalType: LogicalType | None = None,
    ) -> None:
        self.type = type
        self.type_length = type_length
        self.repetition_type = repetition_type
        self.name = name
        self.num_children = num_children
        self.converted_type = converted_type
        self.scale = scale
        self.precision = precision
        self.field_id = field_id
        self.logicalType = logicalType


class PageEncodingStats(_rt.Struct):
    """Number of pages of a column chunk with one type and encoding.

    Attributes:
        page_type: Kind of the pages counted.
        encoding: Encoding of the pages counted.
        count: How many pages there are; not negative.
    """

    __slots__ = ("page_type", "encoding", "count")
    page_type: PageType | int
    encoding: Encoding | int
    count: int

    def __init__(
        self,
        *,
        page_type: PageType | int = _rt.UNSET,
        encoding: Encoding | int = _rt.UNSET,
        count: int = _rt.UNSET,
    ) -> None:
        self.page_type = page_type
        self.encoding = encoding
        self.count = count


class KeyValue(_rt.Struct):
    """A pair of texts that an application stores; pyarrow's schema is one, under the key "ARROW:schema".

    Attributes:
        key: Name of the entry; nothing forbids that one occurs twice.
        value: Value of the entry; may be absent, which differs from empty.
    """

    __slots__ = ("key", "value")
    key: str
    value: str | None

    def __init__(
        self,
        *,
        key: str = _rt.UNSET,
        value: str | None = None,
    ) -> None:
        self.key = key
        self.value = value


class SortingColumn(_rt.Struct):
    """One column of the order that the rows of a row group are in.

    Attributes:
        column_idx: The column's position among the leaf columns, from 0.
        descending: Whether values fall.
        nulls_first: Whether nulls come before all values, in either direction.
    """

    __slots__ = ("column_idx", "descending", "nulls_first")
    column_idx: int
    descending: bool
    nulls_first: bool

    def __init__(
        self,
        *,
        column_idx: int = _rt.UNSET,
        descending: bool = _rt.UNSET,
        nulls_first: bool = _rt.UNSET,
    ) -> None:
        self.column_idx = column_idx
        self.descending = descending
        self.nulls_first = nulls_first


class ColumnMetaData(_rt.Struct):
    """Metadata of a column chunk: what a reader needs to find and decode its pages.

    Attributes:
        type: Physical type, the same as in the schema.
        encodings: All encodings that occur in the chunk, for levels too; a set in no particular order.
        path_in_schema: Names from the root's child down to the leaf.
        codec: Compression of all pages.
        num_values: Values with nulls counted; not negative, and for a column that never repeats the rows of the
            row group.
        total_uncompressed_size: Bytes of all pages decompressed, with their headers; not negative.
        total_compressed_size: Bytes of all pages as stored, with their headers; the chunk's length in the file,
            not negative.
        key_value_metadata: Entries that an application stores with the chunk.
        data_page_offset: Offset of the first data page's header.
        index_page_offset: Offset of an index page; no writer sets it.
        dictionary_page_offset: Offset of the dictionary page's header; some writers store 0 for none.
        statistics: Statistics of all values.
        encoding_stats: Pages by type and encoding, enough to tell whether all data pages use the dictionary.
        bloom_filter_offset: Offset of the BloomFilterHeader.
        bloom_filter_length: Bytes of Bloom filter header and bitset; absent in files older than 2.10.
        size_statistics: Sizes once decoded, and level histograms.
        geospatial_statistics: Bounds and types of a GEOMETRY or GEOGRAPHY column.
    """

    __slots__ = (
        "type",
        "encodings",
        "path_in_schema",
        "codec",
        "num_values",
        "total_uncompressed_size",
        "total_compressed_size",
        "key_value_metadata",
        "data_page_offset",
        "index_page_offset",
        "dictionary_page_offset",
        "statistics",
        "encoding_stats",
        "bloom_filter_offset",
        "bloom_filter_length",
        "size_statistics",
        "geospatial_statistics",
    )
    type: Type | int
    encodings: list[Encoding | int]
    path_in_schema: list[str]
    codec: CompressionCodec | int
    num_values: int
    total_uncompressed_size: int
    total_compressed_size: int
    key_value_metadata: list[KeyValue] | None
    data_page_offset: int
    index_page_offset: int | None
    dictionary_page_offset: int | None
    statistics: Statistics | None
    encoding_stats: list[PageEncodingStats] | None
    bloom_filter_offset: int | None
    bloom_filter_length: int | None
    size_statistics: SizeStatistics | None
    geospatial_statistics: GeospatialStatistics | None

    def __init__(
        self,
        *,
        type: Type | int = _rt.UNSET,
        encodings: list[Encoding | int] = _rt.UNSET,
        path_in_schema: list[str] = _rt.UNSET,
        codec: CompressionCodec | int = _rt.UNSET,
        num_values: int = _rt.UNSET,
        total_uncompressed_size: int = _rt.UNSET,
        total_compressed_size: int = _rt.UNSET,
        key_value_metadata: list[KeyValue] | None = None,
        data_page_offset: int = _rt.UNSET,
        index_page_offset: int | None = None,
        dictionary_page_offset: int | None = None,
        statistics: Statistics | None = None,
        encoding_stats: list[PageEncodingStats] | None = None,
        bloom_filter_offset: int | None = None,
        bloom_filter_length: int | None = None,
        size_statistics: SizeStatistics | None = None,
        geospatial_statistics: GeospatialStatistics | None = None,
    ) -> None:
        self.type = type
        self.encodings = encodings
        self.path_in_schema = path_in_schema
        self.codec = codec
        self.num_values = num_values
        self.total_uncompressed_size = total_uncompressed_size
        self.total_compressed_size = total_compressed_size
        self.key_value_metadata = key_value_metadata
        self.data_page_offset = data_page_offset
        self.index_page_offset = index_page_offset
        self.dictionary_page_offset = dictionary_page_offset
        self.statistics = statistics
        self.encoding_stats = encoding_stats
        self.bloom_filter_offset = bloom_filter_offset
        self.bloom_filter_length = bloom_filter_length
        self.size_statistics = size_statistics
        self.geospatial_statistics = geospatial_statistics


class ColumnChunk(_rt.Struct):
    """One column of one row group: its metadata and the places of its indexes.

    Attributes:
        file_path: File that holds the data, relative to this one; absent means this file. Only summary files set
            it.
        file_offset: Once the place of a copy of the metadata; deprecated, writers store 0 and readers ignore it.
        meta_data: Metadata of the chunk; in practice always set, unless it is encrypted with the column's own
            key.
        offset_index_offset: Offset of the OffsetIndex.
        offset_index_length: Bytes of the OffsetIndex.
        column_index_offset: Offset of the ColumnIndex.
        column_index_length: Bytes of the ColumnIndex.
        crypto_metadata: Which key the chunk is encrypted with; absent where it is not encrypted.
        encrypted_column_metadata: The encrypted ColumnMetaData of a chunk with its own key; `meta_data` is then
            absent or lacks statistics.
    """

    __slots__ = (
        "file_path",
        "file_offset",
        "meta_data",
        "offset_index_offset",
        "offset_index_length",
        "column_index_offset",
        "column_index_length",
        "crypto_metadata",
        "encrypted_column_metadata",
    )
    file_path: str | None
    file_offset: int
    meta_data: ColumnMetaData | None
    offset_index_offset: int | None
    offset_index_length: int | None
    column_index_offset: int | None
    column_index_length: int | None
    crypto_metadata: ColumnCryptoMetaData | None
    encrypted_column_metadata: bytes | None

    def __init__(
        self,
        *,
        file_path: str | None = None,
        file_offset: int = 0,
        meta_data: ColumnMetaData | None = None,
        offset_index_offset: int | None = None,
        offset_index_length: int | None = None,
        column_index_offset: int | None = None,
        column_index_length: int | None = None,
        crypto_metadata: ColumnCryptoMetaData | None = None,
        encrypted_column_metadata: bytes | None = None,
    ) -> None:
        self.file_path = file_path
        self.file_offset = file_offset
        self.meta_data = meta_data
        self.offset_index_offset = offset_index_offset
        self.offset_index_length = offset_index_length
        self.column_index_offset = column_index_offset
        self.column_index_length = column_index_length
        self.crypto_metadata = crypto_metadata
        self.encrypted_column_metadata = encrypted_column_metadata


class RowGroup(_rt.Struct):
    """A horizontal slice of the table: one column chunk for every leaf of the schema.

    Attributes:
        columns: The chunks, in the order of the schema's leaves.
        total_byte_size: Bytes of all column data decompressed; not negative.
        num_rows: Rows; not negative. The rows of all row groups add up to FileMetaData.num_rows.
        sorting_columns: Order of the rows, most significant column first; need not name every column.
        file_offset: Offset of the first page, dictionary or data.
        total_compressed_size: Bytes of all column data as stored.
        ordinal: Position of the row group in the file, from 0; encryption needs it.
    """

    __slots__ = (
        "columns",
        "total_byte_size",
        "num_rows",
        "sorting_columns",
        "file_offset",
        "total_compressed_size",
        "ordinal",
    )
    columns: list[ColumnChunk]
    total_byte_size: int
    num_rows: int
    sorting_columns: list[SortingColumn] | None
    file_offset: int | None
    total_compressed_size: int | None
    ordinal: int | None

    def __init__(
        self,
        *,
        columns: list[ColumnChunk] = _rt.UNSET,
        total_byte_size: int = _rt.UNSET,
        num_rows: int = _rt.UNSET,
        sorting_columns: list[SortingColumn] | None = None,
        file_offset: int | None = None,
        total_compressed_size: int | None = None,
        ordinal: int | None = None,
    ) -> None:
        self.columns = columns
        self.total_byte_size = total_byte_size
        self.num_rows = num_rows
        self.sorting_columns = sorting_columns
        self.file_offset = file_offset
        self.total_compressed_size = total_compressed_size
        self.ordinal = ordinal


class TypeDefinedOrder(_rt.Marker):
    """The order that the logical type defines, or the physical type where there is none."""

    __slots__ = ()


class IEEE754TotalOrder(_rt.Marker):
    """The total order of IEEE 754 section 5.10: -NaN, -infinity, ..., -0, +0, ..., +infinity, +NaN."""

    __slots__ = ()


class Int96TimestampOrder(_rt.Marker):
    """Order of INT96 timestamps: by day, then by nanoseconds of the day."""

    __slots__ = ()


class ColumnOrder(_rt.Union):
    """The order that min_value and max_value of a column follow; a reader that does not know the member ignores
    both.

    Attributes:
        TYPE_ORDER: As the column's type defines it.
        IEEE_754_TOTAL_ORDER: IEEE 754 total order, for floating point columns.
        INT96_TIMESTAMP_ORDER: In order of time, for INT96 columns.
    """

    __slots__ = ()

    @classmethod
    def TYPE_ORDER(cls, value: TypeDefinedOrder | None = None) -> ColumnOrder:
        return cls._member("TYPE_ORDER", 1, value)

    @classmethod
    def IEEE_754_TOTAL_ORDER(cls, value: IEEE754TotalOrder | None = None) -> ColumnOrder:
        return cls._member("IEEE_754_TOTAL_ORDER", 2, value)

    @classmethod
    def INT96_TIMESTAMP_ORDER(cls, value: Int96TimestampOrder | None = None) -> ColumnOrder:
        return cls._member("INT96_TIMESTAMP_ORDER", 3, value)


class FileMetaData(_rt.Struct):
    """The footer of a file: its schema and where everything is.

    Attributes:
        version: Version of the format, 1 or 2; readers treat both alike.
        schema: The schema tree, depth first; at least the root, and no element belongs to no parent.
        num_rows: Rows of the file; not negative.
        row_groups: The row groups in file order.
        key_value_metadata: Entries that an application stores with the file.
        created_by: The application that wrote the file, as "name version X (build Y)" by custom.
        column_orders: Order of min_value and max_value, one entry a leaf column; absent means that both have no
            defined order.
        encryption_algorithm: The cipher, set only where an encrypted file has a plaintext footer.
        footer_signing_key_metadata: How to find the key that signed a plaintext footer; the signature's 28 bytes
            follow this struct.
    """

    __slots__ = (
        "version",
        "schema",
        "num_rows",
        "row_groups",
        "key_value_metadata",
        "created_by",
        "column_orders",
        "encryption_algorithm",
        "footer_signing_key_metadata",
    )
    version: int
    schema: list[SchemaElement]
    num_rows: int
    row_groups: list[RowGroup]
    key_value_metadata: list[KeyValue] | None
    created_by: str | None
    column_orders: list[ColumnOrder] | None
    encryption_algorithm: EncryptionAlgorithm | None
    footer_signing_key_metadata: bytes | None

    def __init__(
        self,
        *,
        version: int = _rt.UNSET,
        schema: list[SchemaElement] = _rt.UNSET,
        num_rows: int = _rt.UNSET,
        row_groups: list[RowGroup] = _rt.UNSET,
        key_value_metadata: list[KeyValue] | None = None,
        created_by: str | None = None,
        column_orders: list[ColumnOrder] | None = None,
        encryption_algorithm: EncryptionAlgorithm | None = None,
        footer_signing_key_metadata: bytes | None = None,
    ) -> None:
        self.version = version
        self.schema = schema
        self.num_rows = num_rows
        self.row_groups = row_groups
        self.key_value_metadata = key_value_metadata
        self.created_by = created_by
        self.column_orders = column_orders
        self.encryption_algorithm = encryption_algorithm
        self.footer_signing_key_metadata = footer_signing_key_metadata


__spec__ = _spec.SpecTable(
    globals().get("__spec__"),
    __name__,
    [
        _spec.Spec(
            "Type",
            "enum",
            Type,
            [],
            ("parquet.idl", 12),
            "Physical type: how the values of a leaf column are stored, before any encoding.",
        ),
        _spec.Spec(
            "ConvertedType",
            "enum",
            ConvertedType,
            [],
            ("parquet.idl", 32),
            "Older form of the logical type, deprecated in favour of LogicalType; writers still set it for old readers.",
        ),
        _spec.Spec(
            "FieldRepetitionType",
            "enum",
            FieldRepetitionType,
            [],
            ("parquet.idl", 80),
            "How often a field occurs within its parent.",
        ),
        _spec.Spec(
            "EdgeInterpolationAlgorithm",
            "enum",
            EdgeInterpolationAlgorithm,
            [],
            ("parquet.idl", 90),
            "How an edge between two points of a GEOGRAPHY value runs.",
        ),
        _spec.Spec(
            "Encoding",
            "enum",
            Encoding,
            [],
            ("parquet.idl", 104),
            "How the values or levels of a page are turned into bytes. Number 1 (GROUP_VAR_INT) was never used.",
        ),
        _spec.Spec(
            "CompressionCodec",
            "enum",
            CompressionCodec,
            [],
            ("parquet.idl", 128),
            "Compression of page bodies; one codec for a whole column chunk.",
        ),
        _spec.Spec(
            "PageType",
            "enum",
            PageType,
            [],
            ("parquet.idl", 148),
            "What a page holds; tells which of PageHeader's own headers is set.",
        ),
        _spec.Spec(
            "BoundaryOrder",
            "enum",
            BoundaryOrder,
            [],
            ("parquet.idl", 160),
            "Order of the lists of minima and maxima in a ColumnIndex, pages without values left out.",
        ),
        _spec.Spec(
            "Statistics",
            "struct",
            Statistics,
            [
                _spec.FieldSpec(
                    "max",
                    1,
                    _spec.BINARY,
                    "optional",
                    None,
                    "Largest value by signed comparison, deprecated: to be trusted only where the column's order is signed.",
                ),
                _spec.FieldSpec(
                    "min",
                    2,
                    _spec.BINARY,
                    "optional",
                    None,
                    "Smallest value by signed comparison, deprecated as max is.",
                ),
                _spec.FieldSpec(
                    "null_count",
                    3,
                    _spec.I64,
                    "optional",
                    None,
                    "Nulls among the values; not negative. Absent means unknown, which is not 0.",
                ),
                _spec.FieldSpec(
                    "distinct_count",
                    4,
                    _spec.I64,
                    "optional",
                    None,
                    "Distinct values other than null; not negative.",
                ),
                _spec.FieldSpec(
                    "max_value",
                    5,
                    _spec.BINARY,
                    "optional",
                    None,
                    "Upper bound in the column's order: the largest value, or something greater and shorter.",
                ),
                _spec.FieldSpec(
                    "min_value",
                    6,
                    _spec.BINARY,
                    "optional",
                    None,
                    "Lower bound in the column's order: the smallest value, or something less and shorter.",
                ),
                _spec.FieldSpec(
                    "is_max_value_exact",
                    7,
                    _spec.BOOL,
                    "optional",
                    None,
                    "Whether max_value occurs in the column; absent means unknown.",
                ),
                _spec.FieldSpec(
                    "is_min_value_exact",
                    8,
                    _spec.BOOL,
                    "optional",
                    None,
                    "Whether min_value occurs in the column; absent means unknown.",
                ),
                _spec.FieldSpec(
                    "nan_count",
                    9,
                    _spec.I64,
                    "optional",
                    None,
                    "NaNs among the values of a FLOAT, DOUBLE or FLOAT16 column; not negative. Absent means unknown.",
                ),
            ],
            ("parquet.idl", 177),
            "Statistics of a column chunk or of a page; anything may be left out.\n\nValues are in plain encoding, byte arrays without the length in front. Whether min_value and max_value can be\ncompared at all is said by the column's ColumnOrder; a NaN bound is to be ignored.",
        ),
        _spec.Spec(
            "SizeStatistics",
            "struct",
            SizeStatistics,
            [
                _spec.FieldSpec(
                    "unencoded_byte_array_data_bytes",
                    1,
                    _spec.I64,
                    "optional",
                    None,
                    "Bytes of all BYTE_ARRAY values as plain encoding would hold them, lengths not counted; not for other types.",
                ),
                _spec.FieldSpec(
                    "repetition_level_histogram",
                    2,
                    _spec.list_(_spec.I64),
                    "optional",
                    None,
                    "Occurrences of each repetition level, maximum level + 1 of them; may be left out if that maximum is 0.",
                ),
                _spec.FieldSpec(
                    "definition_level_histogram",
                    3,
                    _spec.list_(_spec.I64),
                    "optional",
                    None,
                    "Occurrences of each definition level, maximum level + 1 of them; may be left out if that maximum is 0 or 1.",
                ),
            ],
            ("parquet.idl", 199),
            "What a column chunk takes in memory once decoded: bytes of its byte arrays and how often each level occurs.",
        ),
        _spec.Spec(
            "BoundingBox",
            "struct",
            BoundingBox,
            [
                _spec.FieldSpec(
                    "xmin",
                    1,
                    _spec.DOUBLE,
                    "required",
                    None,
                    "Least x (easting or longitude); greater than xmax where a geography crosses the antimeridian.",
                ),
                _spec.FieldSpec("xmax", 2, _spec.DOUBLE, "required", None, "Greatest x (easting or longitude)."),
                _spec.FieldSpec("ymin", 3, _spec.DOUBLE, "required", None, "Least y (northing or latitude)."),
                _spec.FieldSpec("ymax", 4, _spec.DOUBLE, "required", None, "Greatest y (northing or latitude)."),
                _spec.FieldSpec(
                    "zmin",
                    5,
                    _spec.DOUBLE,
                    "optional",
                    None,
                    "Least z (height), if the geometries have one.",
                ),
                _spec.FieldSpec(
                    "zmax",
                    6,
                    _spec.DOUBLE,
                    "optional",
                    None,
                    "Greatest z (height), set together with zmin.",
                ),
                _spec.FieldSpec(
                    "mmin",
                    7,
                    _spec.DOUBLE,
                    "optional",
                    None,
                    "Least m (a measure that the application defines), if the geometries have one.",
                ),
                _spec.FieldSpec("mmax", 8, _spec.DOUBLE, "optional", None, "Greatest m, set together with mmin."),
            ],
            ("parquet.idl", 209),
            "Bounds of all geometries of a chunk, in the units of the column's coordinate reference system.",
        ),
        _spec.Spec(
            "GeospatialStatistics",
            "struct",
            GeospatialStatistics,
            [
                _spec.FieldSpec(
                    "bbox",
                    1,
                    _spec.struct_(BoundingBox),
                    "optional",
                    None,
                    "Bounds of all values; absent if they are not known.",
                ),
                _spec.FieldSpec(
                    "geospatial_types",
                    2,
                    _spec.list_(_spec.I32),
                    "optional",
                    None,
                    "The WKB codes of all geometry types that occur (1 point, 2 line string, ... 1001 with z); empty means unknown.",
                ),
            ],
            ("parquet.idl", 229),
            "Statistics of a GEOMETRY or GEOGRAPHY column chunk.",
        ),
        _spec.Spec(
            "StringType",
            "struct",
            StringType,
            [],
            ("parquet.idl", 239),
            "UTF-8 text in a BYTE_ARRAY.",
        ),
        _spec.Spec(
            "UUIDType",
            "struct",
            UUIDType,
            [],
            ("parquet.idl", 242),
            "A UUID as 16 fixed bytes, most significant byte first.",
        ),
        _spec.Spec(
            "MapType",
            "struct",
            MapType,
            [],
            ("parquet.idl", 245),
            "A group that is a map: one repeated group of a required key and a value.",
        ),
        _spec.Spec(
            "ListType",
            "struct",
            ListType,
            [],
            ("parquet.idl", 248),
            "A group that is a list: one repeated group of one element.",
        ),
        _spec.Spec(
            "EnumType",
            "struct",
            EnumType,
            [],
            ("parquet.idl", 251),
            "The name of an enumeration's member, UTF-8 in a BYTE_ARRAY.",
        ),
        _spec.Spec(
            "DateType",
            "struct",
            DateType,
            [],
            ("parquet.idl", 254),
            "Days since 1970-01-01 in an INT32.",
        ),
        _spec.Spec(
            "Float16Type",
            "struct",
            Float16Type,
            [],
            ("parquet.idl", 257),
            "IEEE 754 half precision in 2 fixed bytes, little-endian.",
        ),
        _spec.Spec(
            "NullType",
            "struct",
            NullType,
            [],
            ("parquet.idl", 260),
            "A column that holds nothing but nulls; the physical type is then a guess.",
        ),
        _spec.Spec(
            "DecimalType",
            "struct",
            DecimalType,
            [
                _spec.FieldSpec(
                    "scale",
                    1,
                    _spec.I32,
                    "required",
                    None,
                    "Digits after the decimal point; 0 <= scale <= precision. Repeated in SchemaElement.scale for old readers.",
                ),
                _spec.FieldSpec(
                    "precision",
                    2,
                    _spec.I32,
                    "required",
                    None,
                    "Most digits in all; at least 1 and no more than the physical type holds (9 for INT32, 18 for INT64).",
                ),
            ],
            ("parquet.idl", 266),
            "An exact decimal: an unscaled integer in an INT32, an INT64, fixed bytes or a BYTE_ARRAY. The last two hold it\nbig-endian, in two's complement.",
        ),
        _spec.Spec(
            "MilliSeconds",
            "struct",
            MilliSeconds,
            [],
            ("parquet.idl", 274),
            "Thousandths of a second.",
        ),
        _spec.Spec(
            "MicroSeconds",
            "struct",
            MicroSeconds,
            [],
            ("parquet.idl", 277),
            "Millionths of a second.",
        ),
        _spec.Spec(
            "NanoSeconds",
            "struct",
            NanoSeconds,
            [],
            ("parquet.idl", 280),
            "Billionths of a second.",
        ),
        _spec.Spec(
            "TimeUnit",
            "union",
            TimeUnit,
            [
                _spec.FieldSpec(
                    "MILLIS",
                    1,
                    _spec.struct_(MilliSeconds),
                    "default",
                    None,
                    "Milliseconds: INT32 for times, INT64 for timestamps.",
                ),
                _spec.FieldSpec("MICROS", 2, _spec.struct_(MicroSeconds), "default", None, "Microseconds: INT64."),
                _spec.FieldSpec("NANOS", 3, _spec.struct_(NanoSeconds), "default", None, "Nanoseconds: INT64."),
            ],
            ("parquet.idl", 283),
            "The unit of a time or timestamp.",
        ),
        _spec.Spec(
            "TimestampType",
            "struct",
            TimestampType,
            [
                _spec.FieldSpec(
                    "isAdjustedToUTC",
                    1,
                    _spec.BOOL,
                    "required",
                    None,
                    "True: an instant that counts from the epoch in UTC. False: local date and time in no particular zone.",
                ),
                _spec.FieldSpec(
                    "unit",
                    2,
                    _spec.struct_(TimeUnit),
                    "required",
                    None,
                    "What one step of the stored integer is.",
                ),
            ],
            ("parquet.idl", 293),
            "A point in time or, without time zone, a date with a time of day; an INT64 that counts from 1970-01-01T00:00:00.",
        ),
        _spec.Spec(
            "TimeType",
            "struct",
            TimeType,
            [
                _spec.FieldSpec(
                    "isAdjustedToUTC",
                    1,
                    _spec.BOOL,
                    "required",
                    None,
                    "True: the time is in UTC. False: local time in no particular zone.",
                ),
                _spec.FieldSpec(
                    "unit",
                    2,
                    _spec.struct_(TimeUnit),
                    "required",
                    None,
                    "What one step of the stored integer is; decides between INT32 (milliseconds) and INT64.",
                ),
            ],
            ("parquet.idl", 301),
            "A time of day, counted from midnight.",
        ),
        _spec.Spec(
            "IntType",
            "struct",
            IntType,
            [
                _spec.FieldSpec("bitWidth", 1, _spec.I8, "required", None, "8, 16, 32 or 64; all else is invalid."),
                _spec.FieldSpec("isSigned", 2, _spec.BOOL, "required", None, "Whether the values are signed."),
            ],
            ("parquet.idl", 309),
            "An integer of a given width and sign in an INT32 (8, 16, 32 bits) or an INT64 (64 bits).",
        ),
        _spec.Spec(
            "JsonType",
            "struct",
            JsonType,
            [],
            ("parquet.idl", 317),
            "A JSON document, UTF-8 in a BYTE_ARRAY.",
        ),
        _spec.Spec(
            "BsonType",
            "struct",
            BsonType,
            [],
            ("parquet.idl", 320),
            "A BSON document in a BYTE_ARRAY.",
        ),
        _spec.Spec(
            "VariantType",
            "struct",
            VariantType,
            [
                _spec.FieldSpec(
                    "specification_version",
                    1,
                    _spec.I8,
                    "optional",
                    None,
                    "Version of the Variant specification that the values follow.",
                ),
            ],
            ("parquet.idl", 323),
            "A group that holds semi-structured values in the Variant encoding, shredded or not.",
        ),
        _spec.Spec(
            "GeometryType",
            "struct",
            GeometryType,
            [
                _spec.FieldSpec(
                    "crs",
                    1,
                    _spec.STRING,
                    "optional",
                    None,
                    'Coordinate reference system, such as "srid:3857" or "projjson:key"; absent means OGC:CRS84.',
                ),
            ],
            ("parquet.idl", 329),
            "A geometry with straight edges in a plane, as WKB in a BYTE_ARRAY.",
        ),
        _spec.Spec(
            "GeographyType",
            "struct",
            GeographyType,
            [
                _spec.FieldSpec(
                    "crs",
                    1,
                    _spec.STRING,
                    "optional",
                    None,
                    "Coordinate reference system, a geographic one; absent means OGC:CRS84.",
                ),
                _spec.FieldSpec(
                    "algorithm",
                    2,
                    _spec.enum_(EdgeInterpolationAlgorithm),
                    "optional",
                    None,
                    "How edges run between points; absent means SPHERICAL.",
                ),
            ],
            ("parquet.idl", 335),
            "A geometry with edges on a globe, as WKB in a BYTE_ARRAY; x is longitude and y latitude, both in degrees.",
        ),
        _spec.Spec(
            "FileType",
            "struct",
            FileType,
            [],
            ("parquet.idl", 343),
            "A group that stands for a range of bytes: in the value itself, elsewhere in this file, or in another file (2026).",
        ),
        _spec.Spec(
            "LogicalType",
            "union",
            LogicalType,
            [
                _spec.FieldSpec(
                    "STRING",
                    1,
                    _spec.struct_(StringType),
                    "default",
                    None,
                    "Text; with ConvertedType UTF8.",
                ),
                _spec.FieldSpec("MAP", 2, _spec.struct_(MapType), "default", None, "A map; with ConvertedType MAP."),
                _spec.FieldSpec(
                    "LIST",
                    3,
                    _spec.struct_(ListType),
                    "default",
                    None,
                    "A list; with ConvertedType LIST.",
                ),
                _spec.FieldSpec(
                    "ENUM",
                    4,
                    _spec.struct_(EnumType),
                    "default",
                    None,
                    "A member of an enumeration; with ConvertedType ENUM.",
                ),
                _spec.FieldSpec(
                    "DECIMAL",
                    5,
                    _spec.struct_(DecimalType),
                    "default",
                    None,
                    "An exact decimal; with ConvertedType DECIMAL and SchemaElement.scale and precision.",
                ),
                _spec.FieldSpec(
                    "DATE",
                    6,
                    _spec.struct_(DateType),
                    "default",
                    None,
                    "A date; with ConvertedType DATE.",
                ),
                _spec.FieldSpec(
                    "TIME",
                    7,
                    _spec.struct_(TimeType),
                    "default",
                    None,
                    "A time of day; with ConvertedType TIME_MILLIS or TIME_MICROS where the unit has one.",
                ),
                _spec.FieldSpec(
                    "TIMESTAMP",
                    8,
                    _spec.struct_(TimestampType),
                    "default",
                    None,
                    "A timestamp; with ConvertedType TIMESTAMP_MILLIS or TIMESTAMP_MICROS where the unit has one.",
                ),
                _spec.FieldSpec(
                    "INTEGER",
                    10,
                    _spec.struct_(IntType),
                    "default",
                    None,
                    "An integer with width and sign; with ConvertedType INT_8 to UINT_64.",
                ),
                _spec.FieldSpec(
                    "UNKNOWN",
                    11,
                    _spec.struct_(NullType),
                    "default",
                    None,
                    "Only nulls; has no ConvertedType.",
                ),
                _spec.FieldSpec(
                    "JSON",
                    12,
                    _spec.struct_(JsonType),
                    "default",
                    None,
                    "A JSON document; with ConvertedType JSON.",
                ),
                _spec.FieldSpec(
                    "BSON",
                    13,
                    _spec.struct_(BsonType),
                    "default",
                    None,
                    "A BSON document; with ConvertedType BSON.",
                ),
                _spec.FieldSpec("UUID", 14, _spec.struct_(UUIDType), "default", None, "A UUID; has no ConvertedType."),
                _spec.FieldSpec(
                    "FLOAT16",
                    15,
                    _spec.struct_(Float16Type),
                    "default",
                    None,
                    "A half-precision number; has no ConvertedType.",
                ),
                _spec.FieldSpec(
                    "VARIANT",
                    16,
                    _spec.struct_(VariantType),
                    "default",
                    None,
                    "A semi-structured value; has no ConvertedType.",
                ),
                _spec.FieldSpec(
                    "GEOMETRY",
                    17,
                    _spec.struct_(GeometryType),
                    "default",
                    None,
                    "A geometry in a plane; has no ConvertedType.",
                ),
                _spec.FieldSpec(
                    "GEOGRAPHY",
                    18,
                    _spec.struct_(GeographyType),
                    "default",
                    None,
                    "A geometry on a globe; has no ConvertedType.",
                ),
                _spec.FieldSpec(
                    "FILE",
                    19,
                    _spec.struct_(FileType),
                    "default",
                    None,
                    "A reference to bytes, often in another file; has no ConvertedType.",
                ),
            ],
            ("parquet.idl", 350),
            "What the values of a column or group mean. Supersedes ConvertedType, which is set as well where it can say the same.\n\nA reader that does not know a member treats the column as one of its physical type. Id 9 is held back for INTERVAL.",
        ),
        _spec.Spec(
            "DataPageHeader",
            "struct",
            DataPageHeader,
            [
                _spec.FieldSpec(
                    "num_values",
                    1,
                    _spec.I32,
                    "required",
                    None,
                    "Values of the page with nulls counted; not negative.",
                ),
                _spec.FieldSpec("encoding", 2, _spec.enum_(Encoding), "required", None, "Encoding of the values."),
                _spec.FieldSpec(
                    "definition_level_encoding",
                    3,
                    _spec.enum_(Encoding),
                    "required",
                    None,
                    "Encoding of the definition levels, RLE in practice; of no meaning if the maximum level is 0.",
                ),
                _spec.FieldSpec(
                    "repetition_level_encoding",
                    4,
                    _spec.enum_(Encoding),
                    "required",
                    None,
                    "Encoding of the repetition levels, RLE in practice; of no meaning if the maximum level is 0.",
                ),
                _spec.FieldSpec(
                    "statistics",
                    5,
                    _spec.struct_(Statistics),
                    "optional",
                    None,
                    "Statistics of the page's values.",
                ),
            ],
            ("parquet.idl", 392),
            "Header of a data page whose body (repetition levels, definition levels, values) is compressed as a whole.",
        ),
        _spec.Spec(
            "IndexPageHeader",
            "struct",
            IndexPageHeader,
            [],
            ("parquet.idl", 406),
            "Header of an index page; empty, since index pages were never put to use.",
        ),
        _spec.Spec(
            "DictionaryPageHeader",
            "struct",
            DictionaryPageHeader,
            [
                _spec.FieldSpec(
                    "num_values",
                    1,
                    _spec.I32,
                    "required",
                    None,
                    "Entries of the dictionary; not negative.",
                ),
                _spec.FieldSpec(
                    "encoding",
                    2,
                    _spec.enum_(Encoding),
                    "required",
                    None,
                    "Encoding of the entries: PLAIN, or PLAIN_DICTIONARY with the same meaning in old files.",
                ),
                _spec.FieldSpec(
                    "is_sorted",
                    3,
                    _spec.BOOL,
                    "optional",
                    None,
                    "Whether the entries rise; absent means unknown.",
                ),
            ],
            ("parquet.idl", 409),
            "Header of the dictionary page, the first page of a chunk that has one.",
        ),
        _spec.Spec(
            "DataPageHeaderV2",
            "struct",
            DataPageHeaderV2,
            [
                _spec.FieldSpec(
                    "num_values",
                    1,
                    _spec.I32,
                    "required",
                    None,
                    "Values of the page with nulls counted; not negative.",
                ),
                _spec.FieldSpec(
                    "num_nulls",
                    2,
                    _spec.I32,
                    "required",
                    None,
                    "Nulls of the page; 0 <= num_nulls <= num_values, and the data section holds num_values - num_nulls values.",
                ),
                _spec.FieldSpec(
                    "num_rows",
                    3,
                    _spec.I32,
                    "required",
                    None,
                    "Rows of the page; a page begins with a new row (repetition level 0).",
                ),
                _spec.FieldSpec("encoding", 4, _spec.enum_(Encoding), "required", None, "Encoding of the values."),
                _spec.FieldSpec(
                    "definition_levels_byte_length",
                    5,
                    _spec.I32,
                    "required",
                    None,
                    "Bytes of the definition levels; not negative, and with the repetition levels within the page.",
                ),
                _spec.FieldSpec(
                    "repetition_levels_byte_length",
                    6,
                    _spec.I32,
                    "required",
                    None,
                    "Bytes of the repetition levels, which come first; not negative.",
                ),
                _spec.FieldSpec(
                    "is_compressed",
                    7,
                    _spec.BOOL,
                    "optional",
                    True,
                    "Whether the values after the levels are compressed with the chunk's codec; absent means true.",
                ),
                _spec.FieldSpec(
                    "statistics",
                    8,
                    _spec.struct_(Statistics),
                    "optional",
                    None,
                    "Statistics of the page's values.",
                ),
            ],
            ("parquet.idl", 419),
            "Header of a data page of whole rows, whose levels stay uncompressed (always RLE, without a length in front).",
        ),
        _spec.Spec(
            "PageHeader",
            "struct",
            PageHeader,
            [
                _spec.FieldSpec("type", 1, _spec.enum_(PageType), "required", None, "Kind of page."),
                _spec.FieldSpec(
                    "uncompressed_page_size",
                    2,
                    _spec.I32,
                    "required",
                    None,
                    "Bytes of the body after decompression, without this header; not negative.",
                ),
                _spec.FieldSpec(
                    "compressed_page_size",
                    3,
                    _spec.I32,
                    "required",
                    None,
                    "Bytes of the body as stored (compressed and encrypted), without this header; the next page follows them.",
                ),
                _spec.FieldSpec(
                    "crc",
                    4,
                    _spec.I32,
                    "optional",
                    None,
                    "CRC-32 (the polynomial of gzip) of the body as stored; its 32 bits are kept in a signed integer.",
                ),
                _spec.FieldSpec(
                    "data_page_header",
                    5,
                    _spec.struct_(DataPageHeader),
                    "optional",
                    None,
                    "Set for DATA_PAGE.",
                ),
                _spec.FieldSpec(
                    "index_page_header",
                    6,
                    _spec.struct_(IndexPageHeader),
                    "optional",
                    None,
                    "Set for INDEX_PAGE.",
                ),
                _spec.FieldSpec(
                    "dictionary_page_header",
                    7,
                    _spec.struct_(DictionaryPageHeader),
                    "optional",
                    None,
                    "Set for DICTIONARY_PAGE.",
                ),
                _spec.FieldSpec(
                    "data_page_header_v2",
                    8,
                    _spec.struct_(DataPageHeaderV2),
                    "optional",
                    None,
                    "Set for DATA_PAGE_V2.",
                ),
            ],
            ("parquet.idl", 439),
            "What stands in front of every page. Exactly one of fields 5 to 8 is set, the one that `type` names.",
        ),
        _spec.Spec(
            "PageLocation",
            "struct",
            PageLocation,
            [
                _spec.FieldSpec("offset", 1, _spec.I64, "required", None, "Offset of the page's header."),
                _spec.FieldSpec(
                    "compressed_page_size",
                    2,
                    _spec.I32,
                    "required",
                    None,
                    "Bytes of header and body; unlike the field of this name in PageHeader it includes the header.",
                ),
                _spec.FieldSpec(
                    "first_row_index",
                    3,
                    _spec.I64,
                    "required",
                    None,
                    "First row of the page, counted from the start of the row group.",
                ),
            ],
            ("parquet.idl", 461),
            "Where a data page stands and which row it begins with.",
        ),
        _spec.Spec(
            "OffsetIndex",
            "struct",
            OffsetIndex,
            [
                _spec.FieldSpec(
                    "page_locations",
                    1,
                    _spec.list_(_spec.struct_(PageLocation)),
                    "required",
                    None,
                    "One entry a data page, the dictionary page left out; offsets and row indexes rise.",
                ),
                _spec.FieldSpec(
                    "unencoded_byte_array_data_bytes",
                    2,
                    _spec.list_(_spec.I64),
                    "optional",
                    None,
                    "Bytes of the BYTE_ARRAY values of each page as SizeStatistics counts them; one entry a page.",
                ),
            ],
            ("parquet.idl", 471),
            "Places of all data pages of a column chunk, which lets a reader fetch single pages.",
        ),
        _spec.Spec(
            "ColumnIndex",
            "struct",
            ColumnIndex,
            [
                _spec.FieldSpec(
                    "null_pages",
                    1,
                    _spec.list_(_spec.BOOL),
                    "required",
                    None,
                    "Whether a page holds only nulls; its bounds are then empty bytes that mean nothing.",
                ),
                _spec.FieldSpec(
                    "min_values",
                    2,
                    _spec.list_(_spec.BINARY),
                    "required",
                    None,
                    "Lower bounds of the pages, encoded as Statistics.min_value.",
                ),
                _spec.FieldSpec(
                    "max_values",
                    3,
                    _spec.list_(_spec.BINARY),
                    "required",
                    None,
                    "Upper bounds of the pages, encoded as Statistics.max_value.",
                ),
                _spec.FieldSpec(
                    "boundary_order",
                    4,
                    _spec.enum_(BoundaryOrder),
                    "required",
                    None,
                    "Order that both lists of bounds follow.",
                ),
                _spec.FieldSpec(
                    "null_counts",
                    5,
                    _spec.list_(_spec.I64),
                    "optional",
                    None,
                    "Nulls of each page; not negative.",
                ),
                _spec.FieldSpec(
                    "repetition_level_histograms",
                    6,
                    _spec.list_(_spec.I64),
                    "optional",
                    None,
                    "Repetition level histograms of all pages, one after the other: (maximum level + 1) x pages numbers.",
                ),
                _spec.FieldSpec(
                    "definition_level_histograms",
                    7,
                    _spec.list_(_spec.I64),
                    "optional",
                    None,
                    "Definition level histograms of all pages, one after the other: (maximum level + 1) x pages numbers.",
                ),
                _spec.FieldSpec(
                    "nan_counts",
                    8,
                    _spec.list_(_spec.I64),
                    "optional",
                    None,
                    "NaNs of each page of a floating point column; not negative.",
                ),
            ],
            ("parquet.idl", 479),
            "Bounds of all data pages of a column chunk; the lists have one entry a page, the same pages as OffsetIndex.",
        ),
        _spec.Spec(
            "SplitBlockAlgorithm",
            "struct",
            SplitBlockAlgorithm,
            [],
            ("parquet.idl", 499),
            "Split block Bloom filter: blocks of 256 bits, 8 of which a value sets.",
        ),
        _spec.Spec(
            "BloomFilterAlgorithm",
            "union",
            BloomFilterAlgorithm,
            [
                _spec.FieldSpec(
                    "BLOCK",
                    1,
                    _spec.struct_(SplitBlockAlgorithm),
                    "default",
                    None,
                    "Split block Bloom filter, the only one so far.",
                ),
            ],
            ("parquet.idl", 502),
            "How a Bloom filter sets its bits.",
        ),
        _spec.Spec(
            "XxHash",
            "struct",
            XxHash,
            [],
            ("parquet.idl", 508),
            "XXH64 with seed 0.",
        ),
        _spec.Spec(
            "BloomFilterHash",
            "union",
            BloomFilterHash,
            [
                _spec.FieldSpec("XXHASH", 1, _spec.struct_(XxHash), "default", None, "XXH64, the only one so far."),
            ],
            ("parquet.idl", 511),
            "The hash of a value's plain encoding that a Bloom filter looks up.",
        ),
        _spec.Spec(
            "Uncompressed",
            "struct",
            Uncompressed,
            [],
            ("parquet.idl", 517),
            "A bitset stored as it is.",
        ),
        _spec.Spec(
            "BloomFilterCompression",
            "union",
            BloomFilterCompression,
            [
                _spec.FieldSpec(
                    "UNCOMPRESSED",
                    1,
                    _spec.struct_(Uncompressed),
                    "default",
                    None,
                    "No compression, the only choice so far.",
                ),
            ],
            ("parquet.idl", 520),
            "Compression of a Bloom filter's bitset.",
        ),
        _spec.Spec(
            "BloomFilterHeader",
            "struct",
            BloomFilterHeader,
            [
                _spec.FieldSpec(
                    "numBytes",
                    1,
                    _spec.I32,
                    "required",
                    None,
                    "Bytes of the bitset; a positive multiple of 32.",
                ),
                _spec.FieldSpec(
                    "algorithm",
                    2,
                    _spec.struct_(BloomFilterAlgorithm),
                    "required",
                    None,
                    "How bits are set.",
                ),
                _spec.FieldSpec("hash", 3, _spec.struct_(BloomFilterHash), "required", None, "How values are hashed."),
                _spec.FieldSpec(
                    "compression",
                    4,
                    _spec.struct_(BloomFilterCompression),
                    "required",
                    None,
                    "How the bitset is compressed.",
                ),
            ],
            ("parquet.idl", 526),
            "Header of a Bloom filter; the bitset follows at once.",
        ),
        _spec.Spec(
            "AesGcmV1",
            "struct",
            AesGcmV1,
            [
                _spec.FieldSpec(
                    "aad_prefix",
                    1,
                    _spec.BINARY,
                    "optional",
                    None,
                    "Prefix of the additional authenticated data, if the file stores it.",
                ),
                _spec.FieldSpec(
                    "aad_file_unique",
                    2,
                    _spec.BINARY,
                    "optional",
                    None,
                    "Bytes that make the authenticated data of this file unique.",
                ),
                _spec.FieldSpec(
                    "supply_aad_prefix",
                    3,
                    _spec.BOOL,
                    "optional",
                    None,
                    "True: the file holds no prefix and the reader must be given it by other means.",
                ),
            ],
            ("parquet.idl", 540),
            "AES-GCM for everything that is encrypted, page bodies too.",
        ),
        _spec.Spec(
            "AesGcmCtrV1",
            "struct",
            AesGcmCtrV1,
            [
                _spec.FieldSpec(
                    "aad_prefix",
                    1,
                    _spec.BINARY,
                    "optional",
                    None,
                    "Prefix of the additional authenticated data, if the file stores it.",
                ),
                _spec.FieldSpec(
                    "aad_file_unique",
                    2,
                    _spec.BINARY,
                    "optional",
                    None,
                    "Bytes that make the authenticated data of this file unique.",
                ),
                _spec.FieldSpec(
                    "supply_aad_prefix",
                    3,
                    _spec.BOOL,
                    "optional",
                    None,
                    "True: the file holds no prefix and the reader must be given it by other means.",
                ),
            ],
            ("parquet.idl", 550),
            "AES-GCM for metadata and AES-CTR, which authenticates nothing, for page bodies.",
        ),
        _spec.Spec(
            "EncryptionAlgorithm",
            "union",
            EncryptionAlgorithm,
            [
                _spec.FieldSpec("AES_GCM_V1", 1, _spec.struct_(AesGcmV1), "default", None, "AES-GCM throughout."),
                _spec.FieldSpec(
                    "AES_GCM_CTR_V1",
                    2,
                    _spec.struct_(AesGcmCtrV1),
                    "default",
                    None,
                    "AES-GCM for metadata, AES-CTR for pages.",
                ),
            ],
            ("parquet.idl", 560),
            "The cipher of a file.",
        ),
        _spec.Spec(
            "EncryptionWithFooterKey",
            "struct",
            EncryptionWithFooterKey,
            [],
            ("parquet.idl", 568),
            "The column is encrypted with the key of the footer.",
        ),
        _spec.Spec(
            "EncryptionWithColumnKey",
            "struct",
            EncryptionWithColumnKey,
            [
                _spec.FieldSpec(
                    "path_in_schema",
                    1,
                    _spec.list_(_spec.STRING),
                    "required",
                    None,
                    "Path of the column, as in ColumnMetaData.",
                ),
                _spec.FieldSpec(
                    "key_metadata",
                    2,
                    _spec.BINARY,
                    "optional",
                    None,
                    "What a key management system needs to find the key.",
                ),
            ],
            ("parquet.idl", 571),
            "The column is encrypted with a key of its own.",
        ),
        _spec.Spec(
            "ColumnCryptoMetaData",
            "union",
            ColumnCryptoMetaData,
            [
                _spec.FieldSpec(
                    "ENCRYPTION_WITH_FOOTER_KEY",
                    1,
                    _spec.struct_(EncryptionWithFooterKey),
                    "default",
                    None,
                    "The footer's key.",
                ),
                _spec.FieldSpec(
                    "ENCRYPTION_WITH_COLUMN_KEY",
                    2,
                    _spec.struct_(EncryptionWithColumnKey),
                    "default",
                    None,
                    "A key of the column's own.",
                ),
            ],
            ("parquet.idl", 579),
            "Which key an encrypted column chunk needs; absent in ColumnChunk where the column is not encrypted.",
        ),
        _spec.Spec(
            "FileCryptoMetaData",
            "struct",
            FileCryptoMetaData,
            [
                _spec.FieldSpec(
                    "encryption_algorithm",
                    1,
                    _spec.struct_(EncryptionAlgorithm),
                    "required",
                    None,
                    "The cipher of the file; a file with a plaintext footer keeps it in FileMetaData.",
                ),
                _spec.FieldSpec(
                    "key_metadata",
                    2,
                    _spec.BINARY,
                    "optional",
                    None,
                    "What a key management system needs to find the footer's key.",
                ),
            ],
            ("parquet.idl", 587),
            'What stands in front of an encrypted footer (files that begin and end with "PARE"); itself never encrypted.',
        ),
        _spec.Spec(
            "SchemaElement",
            "struct",
            SchemaElement,
            [
                _spec.FieldSpec(
                    "type",
                    1,
                    _spec.enum_(Type),
                    "optional",
                    None,
                    "Physical type of a leaf; absent on groups.",
                ),
                _spec.FieldSpec(
                    "type_length",
                    2,
                    _spec.I32,
                    "optional",
                    None,
                    "Bytes of a FIXED_LEN_BYTE_ARRAY value, greater than 0; without a settled meaning on other types.",
                ),
                _spec.FieldSpec(
                    "repetition_type",
                    3,
                    _spec.enum_(FieldRepetitionType),
                    "optional",
                    None,
                    "How often the field occurs; absent on the root only.",
                ),
                _spec.FieldSpec(
                    "name",
                    4,
                    _spec.STRING,
                    "required",
                    None,
                    "Name of the field, unique among its siblings; the root's name means nothing.",
                ),
                _spec.FieldSpec(
                    "num_children",
                    5,
                    _spec.I32,
                    "optional",
                    None,
                    "Direct children of a group; not negative. Absent on leaves.",
                ),
                _spec.FieldSpec(
                    "converted_type",
                    6,
                    _spec.enum_(ConvertedType),
                    "optional",
                    None,
                    "Older form of logicalType, deprecated.",
                ),
                _spec.FieldSpec(
                    "scale",
                    7,
                    _spec.I32,
                    "optional",
                    None,
                    "Digits after the decimal point of a DECIMAL, deprecated in favour of DecimalType.",
                ),
                _spec.FieldSpec(
                    "precision",
                    8,
                    _spec.I32,
                    "optional",
                    None,
                    "Most digits of a DECIMAL, deprecated in favour of DecimalType.",
                ),
                _spec.FieldSpec(
                    "field_id",
                    9,
                    _spec.I32,
                    "optional",
                    None,
                    "Id of the field in the schema that the file was written from (Iceberg and Protocol Buffers use it).",
                ),
                _spec.FieldSpec(
                    "logicalType",
                    10,
                    _spec.struct_(LogicalType),
                    "optional",
                    None,
                    "What the values mean; absent where the physical type says everything.",
                ),
            ],
            ("parquet.idl", 601),
            "One node of the schema tree. All nodes are stored in one list, parents before children, depth first.\n\nA leaf has `type` and no `num_children`; a group has `num_children` and no `type`. The first element is the root.",
        ),
        _spec.Spec(
            "PageEncodingStats",
            "struct",
            PageEncodingStats,
            [
                _spec.FieldSpec("page_type", 1, _spec.enum_(PageType), "required", None, "Kind of the pages counted."),
                _spec.FieldSpec(
                    "encoding",
                    2,
                    _spec.enum_(Encoding),
                    "required",
                    None,
                    "Encoding of the pages counted.",
                ),
                _spec.FieldSpec("count", 3, _spec.I32, "required", None, "How many pages there are; not negative."),
            ],
            ("parquet.idl", 625),
            "Number of pages of a column chunk with one type and encoding.",
        ),
        _spec.Spec(
            "KeyValue",
            "struct",
            KeyValue,
            [
                _spec.FieldSpec(
                    "key",
                    1,
                    _spec.STRING,
                    "required",
                    None,
                    "Name of the entry; nothing forbids that one occurs twice.",
                ),
                _spec.FieldSpec(
                    "value",
                    2,
                    _spec.STRING,
                    "optional",
                    None,
                    "Value of the entry; may be absent, which differs from empty.",
                ),
            ],
            ("parquet.idl", 635),
            'A pair of texts that an application stores; pyarrow\'s schema is one, under the key "ARROW:schema".',
        ),
        _spec.Spec(
            "SortingColumn",
            "struct",
            SortingColumn,
            [
                _spec.FieldSpec(
                    "column_idx",
                    1,
                    _spec.I32,
                    "required",
                    None,
                    "The column's position among the leaf columns, from 0.",
                ),
                _spec.FieldSpec("descending", 2, _spec.BOOL, "required", None, "Whether values fall."),
                _spec.FieldSpec(
                    "nulls_first",
                    3,
                    _spec.BOOL,
                    "required",
                    None,
                    "Whether nulls come before all values, in either direction.",
                ),
            ],
            ("parquet.idl", 643),
            "One column of the order that the rows of a row group are in.",
        ),
        _spec.Spec(
            "ColumnMetaData",
            "struct",
            ColumnMetaData,
            [
                _spec.FieldSpec(
                    "type",
                    1,
                    _spec.enum_(Type),
                    "required",
                    None,
                    "Physical type, the same as in the schema.",
                ),
                _spec.FieldSpec(
                    "encodings",
                    2,
                    _spec.list_(_spec.enum_(Encoding)),
                    "required",
                    None,
                    "All encodings that occur in the chunk, for levels too; a set in no particular order.",
                ),
                _spec.FieldSpec(
                    "path_in_schema",
                    3,
                    _spec.list_(_spec.STRING),
                    "required",
                    None,
                    "Names from the root's child down to the leaf.",
                ),
                _spec.FieldSpec(
                    "codec",
                    4,
                    _spec.enum_(CompressionCodec),
                    "required",
                    None,
                    "Compression of all pages.",
                ),
                _spec.FieldSpec(
                    "num_values",
                    5,
                    _spec.I64,
                    "required",
                    None,
                    "Values with nulls counted; not negative, and for a column that never repeats the rows of the row group.",
                ),
                _spec.FieldSpec(
                    "total_uncompressed_size",
                    6,
                    _spec.I64,
                    "required",
                    None,
                    "Bytes of all pages decompressed, with their headers; not negative.",
                ),
                _spec.FieldSpec(
                    "total_compressed_size",
                    7,
                    _spec.I64,
                    "required",
                    None,
                    "Bytes of all pages as stored, with their headers; the chunk's length in the file, not negative.",
                ),
                _spec.FieldSpec(
                    "key_value_metadata",
                    8,
                    _spec.list_(_spec.struct_(KeyValue)),
                    "optional",
                    None,
                    "Entries that an application stores with the chunk.",
                ),
                _spec.FieldSpec(
                    "data_page_offset",
                    9,
                    _spec.I64,
                    "required",
                    None,
                    "Offset of the first data page's header.",
                ),
                _spec.FieldSpec(
                    "index_page_offset",
                    10,
                    _spec.I64,
                    "optional",
                    None,
                    "Offset of an index page; no writer sets it.",
                ),
                _spec.FieldSpec(
                    "dictionary_page_offset",
                    11,
                    _spec.I64,
                    "optional",
                    None,
                    "Offset of the dictionary page's header; some writers store 0 for none.",
                ),
                _spec.FieldSpec(
                    "statistics",
                    12,
                    _spec.struct_(Statistics),
                    "optional",
                    None,
                    "Statistics of all values.",
                ),
                _spec.FieldSpec(
                    "encoding_stats",
                    13,
                    _spec.list_(_spec.struct_(PageEncodingStats)),
                    "optional",
                    None,
                    "Pages by type and encoding, enough to tell whether all data pages use the dictionary.",
                ),
                _spec.FieldSpec(
                    "bloom_filter_offset",
                    14,
                    _spec.I64,
                    "optional",
                    None,
                    "Offset of the BloomFilterHeader.",
                ),
                _spec.FieldSpec(
                    "bloom_filter_length",
                    15,
                    _spec.I32,
                    "optional",
                    None,
                    "Bytes of Bloom filter header and bitset; absent in files older than 2.10.",
                ),
                _spec.FieldSpec(
                    "size_statistics",
                    16,
                    _spec.struct_(SizeStatistics),
                    "optional",
                    None,
                    "Sizes once decoded, and level histograms.",
                ),
                _spec.FieldSpec(
                    "geospatial_statistics",
                    17,
                    _spec.struct_(GeospatialStatistics),
                    "optional",
                    None,
                    "Bounds and types of a GEOMETRY or GEOGRAPHY column.",
                ),
            ],
            ("parquet.idl", 653),
            "Metadata of a column chunk: what a reader needs to find and decode its pages.",
        ),
        _spec.Spec(
            "ColumnChunk",
            "struct",
            ColumnChunk,
            [
                _spec.FieldSpec(
                    "file_path",
                    1,
                    _spec.STRING,
                    "optional",
                    None,
                    "File that holds the data, relative to this one; absent means this file. Only summary files set it.",
                ),
                _spec.FieldSpec(
                    "file_offset",
                    2,
                    _spec.I64,
                    "required",
                    0,
                    "Once the place of a copy of the metadata; deprecated, writers store 0 and readers ignore it.",
                ),
                _spec.FieldSpec(
                    "meta_data",
                    3,
                    _spec.struct_(ColumnMetaData),
                    "optional",
                    None,
                    "Metadata of the chunk; in practice always set, unless it is encrypted with the column's own key.",
                ),
                _spec.FieldSpec("offset_index_offset", 4, _spec.I64, "optional", None, "Offset of the OffsetIndex."),
                _spec.FieldSpec("offset_index_length", 5, _spec.I32, "optional", None, "Bytes of the OffsetIndex."),
                _spec.FieldSpec("column_index_offset", 6, _spec.I64, "optional", None, "Offset of the ColumnIndex."),
                _spec.FieldSpec("column_index_length", 7, _spec.I32, "optional", None, "Bytes of the ColumnIndex."),
                _spec.FieldSpec(
                    "crypto_metadata",
                    8,
                    _spec.struct_(ColumnCryptoMetaData),
                    "optional",
                    None,
                    "Which key the chunk is encrypted with; absent where it is not encrypted.",
                ),
                _spec.FieldSpec(
                    "encrypted_column_metadata",
                    9,
                    _spec.BINARY,
                    "optional",
                    None,
                    "The encrypted ColumnMetaData of a chunk with its own key; `meta_data` is then absent or lacks statistics.",
                ),
            ],
            ("parquet.idl", 691),
            "One column of one row group: its metadata and the places of its indexes.",
        ),
        _spec.Spec(
            "RowGroup",
            "struct",
            RowGroup,
            [
                _spec.FieldSpec(
                    "columns",
                    1,
                    _spec.list_(_spec.struct_(ColumnChunk)),
                    "required",
                    None,
                    "The chunks, in the order of the schema's leaves.",
                ),
                _spec.FieldSpec(
                    "total_byte_size",
                    2,
                    _spec.I64,
                    "required",
                    None,
                    "Bytes of all column data decompressed; not negative.",
                ),
                _spec.FieldSpec(
                    "num_rows",
                    3,
                    _spec.I64,
                    "required",
                    None,
                    "Rows; not negative. The rows of all row groups add up to FileMetaData.num_rows.",
                ),
                _spec.FieldSpec(
                    "sorting_columns",
                    4,
                    _spec.list_(_spec.struct_(SortingColumn)),
                    "optional",
                    None,
                    "Order of the rows, most significant column first; need not name every column.",
                ),
                _spec.FieldSpec(
                    "file_offset",
                    5,
                    _spec.I64,
                    "optional",
                    None,
                    "Offset of the first page, dictionary or data.",
                ),
                _spec.FieldSpec(
                    "total_compressed_size",
                    6,
                    _spec.I64,
                    "optional",
                    None,
                    "Bytes of all column data as stored.",
                ),
                _spec.FieldSpec(
                    "ordinal",
                    7,
                    _spec.I16,
                    "optional",
                    None,
                    "Position of the row group in the file, from 0; encryption needs it.",
                ),
            ],
            ("parquet.idl", 713),
            "A horizontal slice of the table: one column chunk for every leaf of the schema.",
        ),
        _spec.Spec(
            "TypeDefinedOrder",
            "struct",
            TypeDefinedOrder,
            [],
            ("parquet.idl", 731),
            "The order that the logical type defines, or the physical type where there is none.",
        ),
        _spec.Spec(
            "IEEE754TotalOrder",
            "struct",
            IEEE754TotalOrder,
            [],
            ("parquet.idl", 734),
            "The total order of IEEE 754 section 5.10: -NaN, -infinity, ..., -0, +0, ..., +infinity, +NaN.",
        ),
        _spec.Spec(
            "Int96TimestampOrder",
            "struct",
            Int96TimestampOrder,
            [],
            ("parquet.idl", 737),
            "Order of INT96 timestamps: by day, then by nanoseconds of the day.",
        ),
        _spec.Spec(
            "ColumnOrder",
            "union",
            ColumnOrder,
            [
                _spec.FieldSpec(
                    "TYPE_ORDER",
                    1,
                    _spec.struct_(TypeDefinedOrder),
                    "default",
                    None,
                    "As the column's type defines it.",
                ),
                _spec.FieldSpec(
                    "IEEE_754_TOTAL_ORDER",
                    2,
                    _spec.struct_(IEEE754TotalOrder),
                    "default",
                    None,
                    "IEEE 754 total order, for floating point columns.",
                ),
                _spec.FieldSpec(
                    "INT96_TIMESTAMP_ORDER",
                    3,
                    _spec.struct_(Int96TimestampOrder),
                    "default",
                    None,
                    "In order of time, for INT96 columns.",
                ),
            ],
            ("parquet.idl", 740),
            "The order that min_value and max_value of a column follow; a reader that does not know the member ignores both.",
        ),
        _spec.Spec(
            "FileMetaData",
            "struct",
            FileMetaData,
            [
                _spec.FieldSpec(
                    "version",
                    1,
                    _spec.I32,
                    "required",
                    None,
                    "Version of the format, 1 or 2; readers treat both alike.",
                ),
                _spec.FieldSpec(
                    "schema",
                    2,
                    _spec.list_(_spec.struct_(SchemaElement)),
                    "required",
                    None,
                    "The schema tree, depth first; at least the root, and no element belongs to no parent.",
                ),
                _spec.FieldSpec("num_rows", 3, _spec.I64, "required", None, "Rows of the file; not negative."),
                _spec.FieldSpec(
                    "row_groups",
                    4,
                    _spec.list_(_spec.struct_(RowGroup)),
                    "required",
                    None,
                    "The row groups in file order.",
                ),
                _spec.FieldSpec(
                    "key_value_metadata",
                    5,
                    _spec.list_(_spec.struct_(KeyValue)),
                    "optional",
                    None,
                    "Entries that an application stores with the file.",
                ),
                _spec.FieldSpec(
                    "created_by",
                    6,
                    _spec.STRING,
                    "optional",
                    None,
                    'The application that wrote the file, as "name version X (build Y)" by custom.',
                ),
                _spec.FieldSpec(
                    "column_orders",
                    7,
                    _spec.list_(_spec.struct_(ColumnOrder)),
                    "optional",
                    None,
                    "Order of min_value and max_value, one entry a leaf column; absent means that both have no defined order.",
                ),
                _spec.FieldSpec(
                    "encryption_algorithm",
                    8,
                    _spec.struct_(EncryptionAlgorithm),
                    "optional",
                    None,
                    "The cipher, set only where an encrypted file has a plaintext footer.",
                ),
                _spec.FieldSpec(
                    "footer_signing_key_metadata",
                    9,
                    _spec.BINARY,
                    "optional",
                    None,
                    "How to find the key that signed a plaintext footer; the signature's 28 bytes follow this struct.",
                ),
            ],
            ("parquet.idl", 750),
            "The footer of a file: its schema and where everything is.",
        ),
    ],
)
_rt.register(__name__, __spec__)
