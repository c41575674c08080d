# Generated from parquet.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:73d86758d576ee397d905d8df84325a3645a946d22d01768b8360360d704d821
"""The metadata of Apache Parquet files: footer, page headers, page index, Bloom filter headers and encryption
records.

Every struct is written bare in Thrift's compact protocol. Sizes and offsets are in bytes, offsets count from
the start of the file. Ids, types, requiredness and defaults are those of the official definition after
release 2.13.
"""

from __future__ import annotations

import enum as _enum

from ..runtime import compact as _rt
from ..runtime import fields as _fields


class Type(_enum.IntEnum):
    """Physical type: how the values of a leaf column are stored, before any encoding."""

    BOOLEAN = 0
    """One bit a value, false is 0."""
    INT32 = 1
    """4 bytes, little-endian, two's complement; narrower and unsigned integers are stored in it too."""
    INT64 = 2
    """8 bytes, little-endian, two's complement."""
    INT96 = 3
    """12 bytes, used by old writers for timestamps (nanoseconds of the day, then Julian day). Deprecated."""
    FLOAT = 4
    """IEEE 754 single precision, little-endian."""
    DOUBLE = 5
    """IEEE 754 double precision, little-endian."""
    BYTE_ARRAY = 6
    """Bytes of any length; the plain encoding puts a 4-byte little-endian length in front."""
    FIXED_LEN_BYTE_ARRAY = 7
    """As many bytes as SchemaElement.type_length says, without a length in front."""


class ConvertedType(_enum.IntEnum):
    """Older form of the logical type, deprecated in favour of LogicalType; writers still set it for old readers."""

    UTF8 = 0
    """BYTE_ARRAY that holds UTF-8 text."""
    MAP = 1
    """Group of a map: one repeated group of key and value inside."""
    MAP_KEY_VALUE = 2
    """The repeated key and value group of a map."""
    LIST = 3
    """Group of a list: one repeated field inside."""
    ENUM = 4
    """BYTE_ARRAY that holds the name of an enumeration's member."""
    DECIMAL = 5
    """Unscaled integer; SchemaElement.scale and precision go with it. Big-endian where stored as bytes."""
    DATE = 6
    """INT32 with the days since 1970-01-01."""
    TIME_MILLIS = 7
    """INT32 with the milliseconds since midnight."""
    TIME_MICROS = 8
    """INT64 with the microseconds since midnight."""
    TIMESTAMP_MILLIS = 9
    """INT64 with the milliseconds since 1970-01-01T00:00:00 UTC."""
    TIMESTAMP_MICROS = 10
    """INT64 with the microseconds since 1970-01-01T00:00:00 UTC."""
    UINT_8 = 11
    """INT32 that uses 8 bits, unsigned."""
    UINT_16 = 12
    """INT32 that uses 16 bits, unsigned."""
    UINT_32 = 13
    """INT32 read as unsigned."""
    UINT_64 = 14
    """INT64 read as unsigned."""
    INT_8 = 15
    """INT32 that uses 8 bits, signed."""
    INT_16 = 16
    """INT32 that uses 16 bits, signed."""
    INT_32 = 17
    """INT32 as it is, signed."""
    INT_64 = 18
    """INT64 as it is, signed."""
    JSON = 19
    """BYTE_ARRAY that holds a JSON document in UTF-8."""
    BSON = 20
    """BYTE_ARRAY that holds a BSON document."""
    INTERVAL = 21
    """12 fixed bytes: months, days and milliseconds as unsigned 32-bit little-endian numbers."""


class FieldRepetitionType(_enum.IntEnum):
    """How often a field occurs within its parent."""

    REQUIRED = 0
    """Exactly once; never null, adds no level."""
    OPTIONAL = 1
    """Once or not at all; adds one definition level."""
    REPEATED = 2
    """Any number of times; adds one definition and one repetition level."""


class EdgeInterpolationAlgorithm(_enum.IntEnum):
    """How an edge between two points of a GEOGRAPHY value runs."""

    SPHERICAL = 0
    """Great circles on a sphere; the meaning of an absent algorithm."""
    VINCENTY = 1
    """Vincenty's formulae on the ellipsoid."""
    THOMAS = 2
    """Thomas' series for geodesics."""
    ANDOYER = 3
    """Andoyer's approximation, as Lambert's formula uses it."""
    KARNEY = 4
    """Karney's algorithm, as in GeographicLib."""


class Encoding(_enum.IntEnum):
    """How the values or levels of a page are turned into bytes. Number 1 (GROUP_VAR_INT) was never used."""

    PLAIN = 0
    """Values one after the other in their physical form."""
    PLAIN_DICTIONARY = 2
    """Old name of dictionary encoding, deprecated: RLE_DICTIONARY in data pages, PLAIN in the dictionary page."""
    RLE = 3
    """Runs mixed with bit-packed groups; for levels and booleans."""
    BIT_PACKED = 4
    """Bit packing only, high bit first; for levels. Deprecated, RLE covers it."""
    DELTA_BINARY_PACKED = 5
    """Differences of integers, packed in blocks."""
    DELTA_LENGTH_BYTE_ARRAY = 6
    """All lengths as DELTA_BINARY_PACKED, then all bytes."""
    DELTA_BYTE_ARRAY = 7
    """Lengths shared with the previous value as DELTA_BINARY_PACKED, then the suffixes as DELTA_LENGTH_BYTE_ARRAY."""
    RLE_DICTIONARY = 8
    """Indexes into the dictionary page: one byte with the bit width, then RLE."""
    BYTE_STREAM_SPLIT = 9
    """First bytes of all values, then all second bytes, and so on; it helps the compressor, it saves nothing itself."""
    ALP = 10
    """Adaptive lossless floating point: decimals packed as integers with exceptions. In preview."""


class CompressionCodec(_enum.IntEnum):
    """Compression of page bodies; one codec for a whole column chunk."""

    UNCOMPRESSED = 0
    """Bodies are stored as they are."""
    SNAPPY = 1
    """Raw Snappy, without its stream framing."""
    GZIP = 2
    """Gzip members (RFC 1952)."""
    LZO = 3
    """LZO1X; hardly any reader has it."""
    BROTLI = 4
    """Brotli streams (RFC 7932)."""
    LZ4 = 5
    """LZ4 with Hadoop's undocumented framing. Deprecated in favour of LZ4_RAW."""
    ZSTD = 6
    """Zstandard frames (RFC 8878)."""
    LZ4_RAW = 7
    """The LZ4 block format without framing."""


class PageType(_enum.IntEnum):
    """What a page holds; tells which of PageHeader's own headers is set."""

    DATA_PAGE = 0
    """Values and levels, compressed together (DataPageHeader)."""
    INDEX_PAGE = 1
    """Set aside for indexes inside a chunk and never put to use."""
    DICTIONARY_PAGE = 2
    """The chunk's dictionary, at most one and in front of all data pages."""
    DATA_PAGE_V2 = 3
    """Values compressed, levels not (DataPageHeaderV2)."""


class BoundaryOrder(_enum.IntEnum):
    """Order of the lists of minima and maxima in a ColumnIndex, pages without values left out."""

    UNORDERED = 0
    """Nothing is known: a reader looks at every page."""
    ASCENDING = 1
    """Both lists rise or stay equal, so that a binary search works."""
    DESCENDING = 2
    """Both lists fall or stay equal."""


class Statistics(_rt.Struct):
    """Statistics of a column chunk or of a page; anything may be left out.

    Values are in plain encoding, byte arrays without the length in front. Whether min_value and max_value can be
    compared at all is said by the column's ColumnOrder; a NaN bound is to be ignored.
    """

    max: bytes | None = _rt.field(1, _rt.BINARY, default=None)
    """Largest value by signed comparison, deprecated: to be trusted only where the column's order is signed."""
    min: bytes | None = _rt.field(2, _rt.BINARY, default=None)
    """Smallest value by signed comparison, deprecated as max is."""
    null_count: int | None = _rt.field(3, _rt.I64, default=None)
    """Nulls among the values; not negative. Absent means unknown, which is not 0."""
    distinct_count: int | None = _rt.field(4, _rt.I64, default=None)
    """Distinct values other than null; not negative."""
    max_value: bytes | None = _rt.field(5, _rt.BINARY, default=None)
    """Upper bound in the column's order: the largest value, or something greater and shorter."""
    min_value: bytes | None = _rt.field(6, _rt.BINARY, default=None)
    """Lower bound in the column's order: the smallest value, or something less and shorter."""
    is_max_value_exact: bool | None = _rt.field(7, _rt.BOOL, default=None)
    """Whether max_value occurs in the column; absent means unknown."""
    is_min_value_exact: bool | None = _rt.field(8, _rt.BOOL, default=None)
    """Whether min_value occurs in the column; absent means unknown."""
    nan_count: int | None = _rt.field(9, _rt.I64, default=None)
    """NaNs among the values of a FLOAT, DOUBLE or FLOAT16 column; not negative. Absent means unknown."""


class SizeStatistics(_rt.Struct):
    """What a column chunk takes in memory once decoded: bytes of its byte arrays and how often each level occurs."""

    unencoded_byte_array_data_bytes: int | None = _rt.field(1, _rt.I64, default=None)
    """Bytes of all BYTE_ARRAY values as plain encoding would hold them, lengths not counted; not for other types."""
    repetition_level_histogram: list[int] | None = _rt.field(2, _rt.list_(_rt.I64), default=None)
    """Occurrences of each repetition level, maximum level + 1 of them; may be left out if that maximum is 0."""
    definition_level_histogram: list[int] | None = _rt.field(3, _rt.list_(_rt.I64), default=None)
    """Occurrences of each definition level, maximum level + 1 of them; may be left out if that maximum is 0 or 1."""


class BoundingBox(_rt.Struct):
    """Bounds of all geometries of a chunk, in the units of the column's coordinate reference system."""

    xmin: float = _rt.field(1, _rt.DOUBLE)
    """Least x (easting or longitude); greater than xmax where a geography crosses the antimeridian."""
    xmax: float = _rt.field(2, _rt.DOUBLE)
    """Greatest x (easting or longitude)."""
    ymin: float = _rt.field(3, _rt.DOUBLE)
    """Least y (northing or latitude)."""
    ymax: float = _rt.field(4, _rt.DOUBLE)
    """Greatest y (northing or latitude)."""
    zmin: float | None = _rt.field(5, _rt.DOUBLE, default=None)
    """Least z (height), if the geometries have one."""
    zmax: float | None = _rt.field(6, _rt.DOUBLE, default=None)
    """Greatest z (height), set together with zmin."""
    mmin: float | None = _rt.field(7, _rt.DOUBLE, default=None)
    """Least m (a measure that the application defines), if the geometries have one."""
    mmax: float | None = _rt.field(8, _rt.DOUBLE, default=None)
    """Greatest m, set together with mmin."""


class GeospatialStatistics(_rt.Struct):
    """Statistics of a GEOMETRY or GEOGRAPHY column chunk."""

    bbox: BoundingBox | None = _rt.field(1, "BoundingBox", default=None)
    """Bounds of all values; absent if they are not known."""
    geospatial_types: list[int] | None = _rt.field(2, _rt.list_(_rt.I32), default=None)
    """The WKB codes of all geometry types that occur (1 point, 2 line string, ... 1001 with z); empty means unknown."""


class StringType(_rt.Marker):
    """UTF-8 text in a BYTE_ARRAY."""


class UUIDType(_rt.Marker):
    """A UUID as 16 fixed bytes, most significant byte first."""


class MapType(_rt.Marker):
    """A group that is a map: one repeated group of a required key and a value."""


class ListType(_rt.Marker):
    """A group that is a list: one repeated group of one element."""


class EnumType(_rt.Marker):
    """The name of an enumeration's member, UTF-8 in a BYTE_ARRAY."""


class DateType(_rt.Marker):
    """Days since 1970-01-01 in an INT32."""


class Float16Type(_rt.Marker):
    """IEEE 754 half precision in 2 fixed bytes, little-endian."""


class NullType(_rt.Marker):
    """A column that holds nothing but nulls; the physical type is then a guess."""


class DecimalType(_rt.Struct):
    """An exact decimal: an unscaled integer in an INT32, an INT64, fixed bytes or a BYTE_ARRAY. The last two hold it
    big-endian, in two's complement.
    """

    scale: int = _rt.field(1, _rt.I32)
    """Digits after the decimal point; 0 <= scale <= precision. Repeated in SchemaElement.scale for old readers."""
    precision: int = _rt.field(2, _rt.I32)
    """Most digits in all; at least 1 and no more than the physical type holds (9 for INT32, 18 for INT64)."""


class MilliSeconds(_rt.Marker):
    """Thousandths of a second."""


class MicroSeconds(_rt.Marker):
    """Millionths of a second."""


class NanoSeconds(_rt.Marker):
    """Billionths of a second."""


class TimeUnit(_rt.Union):
    """The unit of a time or timestamp."""

    MILLIS: _rt.Empty[MilliSeconds] = _rt.member(1, "MilliSeconds")
    """Milliseconds: INT32 for times, INT64 for timestamps."""
    MICROS: _rt.Empty[MicroSeconds] = _rt.member(2, "MicroSeconds")
    """Microseconds: INT64."""
    NANOS: _rt.Empty[NanoSeconds] = _rt.member(3, "NanoSeconds")
    """Nanoseconds: INT64."""


class TimestampType(_rt.Struct):
    """A point in time or, without time zone, a date with a time of day; an INT64 that counts from
    1970-01-01T00:00:00.
    """

    isAdjustedToUTC: bool = _rt.field(1, _rt.BOOL)
    """True: an instant that counts from the epoch in UTC. False: local date and time in no particular zone."""
    unit: TimeUnit = _rt.field(2, "TimeUnit")
    """What one step of the stored integer is."""


class TimeType(_rt.Struct):
    """A time of day, counted from midnight."""

    isAdjustedToUTC: bool = _rt.field(1, _rt.BOOL)
    """True: the time is in UTC. False: local time in no particular zone."""
    unit: TimeUnit = _rt.field(2, "TimeUnit")
    """What one step of the stored integer is; decides between INT32 (milliseconds) and INT64."""


class IntType(_rt.Struct):
    """An integer of a given width and sign in an INT32 (8, 16, 32 bits) or an INT64 (64 bits)."""

    bitWidth: int = _rt.field(1, _rt.I8)
    """8, 16, 32 or 64; all else is invalid."""
    isSigned: bool = _rt.field(2, _rt.BOOL)
    """Whether the values are signed."""


class JsonType(_rt.Marker):
    """A JSON document, UTF-8 in a BYTE_ARRAY."""


class BsonType(_rt.Marker):
    """A BSON document in a BYTE_ARRAY."""


class VariantType(_rt.Struct):
    """A group that holds semi-structured values in the Variant encoding, shredded or not."""

    specification_version: int | None = _rt.field(1, _rt.I8, default=None)
    """Version of the Variant specification that the values follow."""


class GeometryType(_rt.Struct):
    """A geometry with straight edges in a plane, as WKB in a BYTE_ARRAY."""

    crs: str | None = _rt.field(1, _rt.STRING, default=None)
    """Coordinate reference system, such as "srid:3857" or "projjson:key"; absent means OGC:CRS84."""


class GeographyType(_rt.Struct):
    """A geometry with edges on a globe, as WKB in a BYTE_ARRAY; x is longitude and y latitude, both in degrees."""

    crs: str | None = _rt.field(1, _rt.STRING, default=None)
    """Coordinate reference system, a geographic one; absent means OGC:CRS84."""
    algorithm: EdgeInterpolationAlgorithm | int | None = _rt.field(2, "EdgeInterpolationAlgorithm", default=None)
    """How edges run between points; absent means SPHERICAL."""


class FileType(_rt.Marker):
    """A group that stands for a range of bytes: in the value itself, elsewhere in this file, or in another file
    (2026).
    """


class LogicalType(_rt.Union):
    """What the values of a column or group mean. Supersedes ConvertedType, which is set as well where it can say the
    same.

    A reader that does not know a member treats the column as one of its physical type. Id 9 is held back for
    INTERVAL.
    """

    STRING: _rt.Empty[StringType] = _rt.member(1, "StringType")
    """Text; with ConvertedType UTF8."""
    MAP: _rt.Empty[MapType] = _rt.member(2, "MapType")
    """A map; with ConvertedType MAP."""
    LIST: _rt.Empty[ListType] = _rt.member(3, "ListType")
    """A list; with ConvertedType LIST."""
    ENUM: _rt.Empty[EnumType] = _rt.member(4, "EnumType")
    """A member of an enumeration; with ConvertedType ENUM."""
    DECIMAL: _rt.Member[DecimalType] = _rt.member(5, "DecimalType")
    """An exact decimal; with ConvertedType DECIMAL and SchemaElement.scale and precision."""
    DATE: _rt.Empty[DateType] = _rt.member(6, "DateType")
    """A date; with ConvertedType DATE."""
    TIME: _rt.Member[TimeType] = _rt.member(7, "TimeType")
    """A time of day; with ConvertedType TIME_MILLIS or TIME_MICROS where the unit has one."""
    TIMESTAMP: _rt.Member[TimestampType] = _rt.member(8, "TimestampType")
    """A timestamp; with ConvertedType TIMESTAMP_MILLIS or TIMESTAMP_MICROS where the unit has one."""
    INTEGER: _rt.Member[IntType] = _rt.member(10, "IntType")
    """An integer with width and sign; with ConvertedType INT_8 to UINT_64."""
    UNKNOWN: _rt.Empty[NullType] = _rt.member(11, "NullType")
    """Only nulls; has no ConvertedType."""
    JSON: _rt.Empty[JsonType] = _rt.member(12, "JsonType")
    """A JSON document; with ConvertedType JSON."""
    BSON: _rt.Empty[BsonType] = _rt.member(13, "BsonType")
    """A BSON document; with ConvertedType BSON."""
    UUID: _rt.Empty[UUIDType] = _rt.member(14, "UUIDType")
    """A UUID; has no ConvertedType."""
    FLOAT16: _rt.Empty[Float16Type] = _rt.member(15, "Float16Type")
    """A half-precision number; has no ConvertedType."""
    VARIANT: _rt.Member[VariantType] = _rt.member(16, "VariantType")
    """A semi-structured value; has no ConvertedType."""
    GEOMETRY: _rt.Member[GeometryType] = _rt.member(17, "GeometryType")
    """A geometry in a plane; has no ConvertedType."""
    GEOGRAPHY: _rt.Member[GeographyType] = _rt.member(18, "GeographyType")
    """A geometry on a globe; has no ConvertedType."""
    FILE: _rt.Empty[FileType] = _rt.member(19, "FileType")
    """A reference to bytes, often in another file; has no ConvertedType."""


class DataPageHeader(_rt.Struct):
    """Header of a data page whose body (repetition levels, definition levels, values) is compressed as a whole."""

    num_values: int = _rt.field(1, _rt.I32)
    """Values of the page with nulls counted; not negative."""
    encoding: Encoding | int = _rt.field(2, "Encoding")
    """Encoding of the values."""
    definition_level_encoding: Encoding | int = _rt.field(3, "Encoding")
    """Encoding of the definition levels, RLE in practice; of no meaning if the maximum level is 0."""
    repetition_level_encoding: Encoding | int = _rt.field(4, "Encoding")
    """Encoding of the repetition levels, RLE in practice; of no meaning if the maximum level is 0."""
    statistics: Statistics | None = _rt.field(5, "Statistics", default=None)
    """Statistics of the page's values."""


class IndexPageHeader(_rt.Marker):
    """Header of an index page; empty, since index pages were never put to use."""


class DictionaryPageHeader(_rt.Struct):
    """Header of the dictionary page, the first page of a chunk that has one."""

    num_values: int = _rt.field(1, _rt.I32)
    """Entries of the dictionary; not negative."""
    encoding: Encoding | int = _rt.field(2, "Encoding")
    """Encoding of the entries: PLAIN, or PLAIN_DICTIONARY with the same meaning in old files."""
    is_sorted: bool | None = _rt.field(3, _rt.BOOL, default=None)
    """Whether the entries rise; absent means unknown."""


class DataPageHeaderV2(_rt.Struct):
    """Header of a data page of whole rows, whose levels stay uncompressed (always RLE, without a length in front)."""

    num_values: int = _rt.field(1, _rt.I32)
    """Values of the page with nulls counted; not negative."""
    num_nulls: int = _rt.field(2, _rt.I32)
    """Nulls of the page; 0 <= num_nulls <= num_values, and the data section holds num_values - num_nulls values."""
    num_rows: int = _rt.field(3, _rt.I32)
    """Rows of the page; a page begins with a new row (repetition level 0)."""
    encoding: Encoding | int = _rt.field(4, "Encoding")
    """Encoding of the values."""
    definition_levels_byte_length: int = _rt.field(5, _rt.I32)
    """Bytes of the definition levels; not negative, and with the repetition levels within the page."""
    repetition_levels_byte_length: int = _rt.field(6, _rt.I32)
    """Bytes of the repetition levels, which come first; not negative."""
    is_compressed: bool | None = _rt.field(7, _rt.BOOL, default=None, implied=True)
    """Whether the values after the levels are compressed with the chunk's codec; absent means true."""
    statistics: Statistics | None = _rt.field(8, "Statistics", default=None)
    """Statistics of the page's values."""


class PageHeader(_rt.Struct):
    """What stands in front of every page. Exactly one of fields 5 to 8 is set, the one that `type` names."""

    type: PageType | int = _rt.field(1, "PageType")
    """Kind of page."""
    uncompressed_page_size: int = _rt.field(2, _rt.I32)
    """Bytes of the body after decompression, without this header; not negative."""
    compressed_page_size: int = _rt.field(3, _rt.I32)
    """Bytes of the body as stored (compressed and encrypted), without this header; the next page follows them."""
    crc: int | None = _rt.field(4, _rt.I32, default=None)
    """CRC-32 (the polynomial of gzip) of the body as stored; its 32 bits are kept in a signed integer."""
    data_page_header: DataPageHeader | None = _rt.field(5, "DataPageHeader", default=None)
    """Set for DATA_PAGE."""
    index_page_header: IndexPageHeader | None = _rt.field(6, "IndexPageHeader", default=None)
    """Set for INDEX_PAGE."""
    dictionary_page_header: DictionaryPageHeader | None = _rt.field(7, "DictionaryPageHeader", default=None)
    """Set for DICTIONARY_PAGE."""
    data_page_header_v2: DataPageHeaderV2 | None = _rt.field(8, "DataPageHeaderV2", default=None)
    """Set for DATA_PAGE_V2."""


class PageLocation(_rt.Struct):
    """Where a data page stands and which row it begins with."""

    offset: int = _rt.field(1, _rt.I64)
    """Offset of the page's header."""
    compressed_page_size: int = _rt.field(2, _rt.I32)
    """Bytes of header and body; unlike the field of this name in PageHeader it includes the header."""
    first_row_index: int = _rt.field(3, _rt.I64)
    """First row of the page, counted from the start of the row group."""


class OffsetIndex(_rt.Struct):
    """Places of all data pages of a column chunk, which lets a reader fetch single pages."""

    page_locations: list[PageLocation] = _rt.field(1, _rt.list_("PageLocation"))
    """One entry a data page, the dictionary page left out; offsets and row indexes rise."""
    unencoded_byte_array_data_bytes: list[int] | None = _rt.field(2, _rt.list_(_rt.I64), default=None)
    """Bytes of the BYTE_ARRAY values of each page as SizeStatistics counts them; one entry a page."""


class ColumnIndex(_rt.Struct):
    """Bounds of all data pages of a column chunk; the lists have one entry a page, the same pages as OffsetIndex."""

    null_pages: list[bool] = _rt.field(1, _rt.list_(_rt.BOOL))
    """Whether a page holds only nulls; its bounds are then empty bytes that mean nothing."""
    min_values: list[bytes] = _rt.field(2, _rt.list_(_rt.BINARY))
    """Lower bounds of the pages, encoded as Statistics.min_value."""
    max_values: list[bytes] = _rt.field(3, _rt.list_(_rt.BINARY))
    """Upper bounds of the pages, encoded as Statistics.max_value."""
    boundary_order: BoundaryOrder | int = _rt.field(4, "BoundaryOrder")
    """Order that both lists of bounds follow."""
    null_counts: list[int] | None = _rt.field(5, _rt.list_(_rt.I64), default=None)
    """Nulls of each page; not negative."""
    repetition_level_histograms: list[int] | None = _rt.field(6, _rt.list_(_rt.I64), default=None)
    """Repetition level histograms of all pages, one after the other: (maximum level + 1) x pages numbers."""
    definition_level_histograms: list[int] | None = _rt.field(7, _rt.list_(_rt.I64), default=None)
    """Definition level histograms of all pages, one after the other: (maximum level + 1) x pages numbers."""
    nan_counts: list[int] | None = _rt.field(8, _rt.list_(_rt.I64), default=None)
    """NaNs of each page of a floating point column; not negative."""


class SplitBlockAlgorithm(_rt.Marker):
    """Split block Bloom filter: blocks of 256 bits, 8 of which a value sets."""


class BloomFilterAlgorithm(_rt.Union):
    """How a Bloom filter sets its bits."""

    BLOCK: _rt.Empty[SplitBlockAlgorithm] = _rt.member(1, "SplitBlockAlgorithm")
    """Split block Bloom filter, the only one so far."""


class XxHash(_rt.Marker):
    """XXH64 with seed 0."""


class BloomFilterHash(_rt.Union):
    """The hash of a value's plain encoding that a Bloom filter looks up."""

    XXHASH: _rt.Empty[XxHash] = _rt.member(1, "XxHash")
    """XXH64, the only one so far."""


class Uncompressed(_rt.Marker):
    """A bitset stored as it is."""


class BloomFilterCompression(_rt.Union):
    """Compression of a Bloom filter's bitset."""

    UNCOMPRESSED: _rt.Empty[Uncompressed] = _rt.member(1, "Uncompressed")
    """No compression, the only choice so far."""


class BloomFilterHeader(_rt.Struct):
    """Header of a Bloom filter; the bitset follows at once."""

    numBytes: int = _rt.field(1, _rt.I32)
    """Bytes of the bitset; a positive multiple of 32."""
    algorithm: BloomFilterAlgorithm = _rt.field(2, "BloomFilterAlgorithm")
    """How bits are set."""
    hash: BloomFilterHash = _rt.field(3, "BloomFilterHash")
    """How values are hashed."""
    compression: BloomFilterCompression = _rt.field(4, "BloomFilterCompression")
    """How the bitset is compressed."""


class AesGcmV1(_rt.Struct):
    """AES-GCM for everything that is encrypted, page bodies too."""

    aad_prefix: bytes | None = _rt.field(1, _rt.BINARY, default=None)
    """Prefix of the additional authenticated data, if the file stores it."""
    aad_file_unique: bytes | None = _rt.field(2, _rt.BINARY, default=None)
    """Bytes that make the authenticated data of this file unique."""
    supply_aad_prefix: bool | None = _rt.field(3, _rt.BOOL, default=None)
    """True: the file holds no prefix and the reader must be given it by other means."""


class AesGcmCtrV1(_rt.Struct):
    """AES-GCM for metadata and AES-CTR, which authenticates nothing, for page bodies."""

    aad_prefix: bytes | None = _rt.field(1, _rt.BINARY, default=None)
    """Prefix of the additional authenticated data, if the file stores it."""
    aad_file_unique: bytes | None = _rt.field(2, _rt.BINARY, default=None)
    """Bytes that make the authenticated data of this file unique."""
    supply_aad_prefix: bool | None = _rt.field(3, _rt.BOOL, default=None)
    """True: the file holds no prefix and the reader must be given it by other means."""


class EncryptionAlgorithm(_rt.Union):
    """The cipher of a file."""

    AES_GCM_V1: _rt.Member[AesGcmV1] = _rt.member(1, "AesGcmV1")
    """AES-GCM throughout."""
    AES_GCM_CTR_V1: _rt.Member[AesGcmCtrV1] = _rt.member(2, "AesGcmCtrV1")
    """AES-GCM for metadata, AES-CTR for pages."""


class EncryptionWithFooterKey(_rt.Marker):
    """The column is encrypted with the key of the footer."""


class EncryptionWithColumnKey(_rt.Struct):
    """The column is encrypted with a key of its own."""

    path_in_schema: list[str] = _rt.field(1, _rt.list_(_rt.STRING))
    """Path of the column, as in ColumnMetaData."""
    key_metadata: bytes | None = _rt.field(2, _rt.BINARY, default=None)
    """What a key management system needs to find the key."""


class ColumnCryptoMetaData(_rt.Union):
    """Which key an encrypted column chunk needs; absent in ColumnChunk where the column is not encrypted."""

    ENCRYPTION_WITH_FOOTER_KEY: _rt.Empty[EncryptionWithFooterKey] = _rt.member(1, "EncryptionWithFooterKey")
    """The footer's key."""
    ENCRYPTION_WITH_COLUMN_KEY: _rt.Member[EncryptionWithColumnKey] = _rt.member(2, "EncryptionWithColumnKey")
    """A key of the column's own."""


class FileCryptoMetaData(_rt.Struct):
    """What stands in front of an encrypted footer (files that begin and end with "PARE"); itself never encrypted."""

    encryption_algorithm: EncryptionAlgorithm = _rt.field(1, "EncryptionAlgorithm")
    """The cipher of the file; a file with a plaintext footer keeps it in FileMetaData."""
    key_metadata: bytes | None = _rt.field(2, _rt.BINARY, default=None)
    """What a key management system needs to find the footer's key."""


class SchemaElement(_rt.Struct):
    """One node of the schema tree. All nodes are stored in one list, parents before children, depth first.

    A leaf has `type` and no `num_children`; a group has `num_children` and no `type`. The first element is the
    root.
    """

    type: Type | int | None = _rt.field(1, "Type", default=None)
    """Physical type of a leaf; absent on groups."""
    type_length: int | None = _rt.field(2, _rt.I32, default=None)
    """Bytes of a FIXED_LEN_BYTE_ARRAY value, greater than 0; without a settled meaning on other types."""
    repetition_type: FieldRepetitionType | int | None = _rt.field(3, "FieldRepetitionType", default=None)
    """How often the field occurs; absent on the root only."""
    name: str = _rt.field(4, _rt.STRING)
    """Name of the field, unique among its siblings; the root's name means nothing."""
    num_children: int | None = _rt.field(5, _rt.I32, default=None)
    """Direct children of a group; not negative. Absent on leaves."""
    converted_type: ConvertedType | int | None = _rt.field(6, "ConvertedType", default=None)
    """Older form of logicalType, deprecated."""
    scale: int | None = _rt.field(7, _rt.I32, default=None)
    """Digits after the decimal point of a DECIMAL, deprecated in favour of DecimalType."""
    precision: int | None = _rt.field(8, _rt.I32, default=None)
    """Most digits of a DECIMAL, deprecated in favour of DecimalType."""
    field_id: int | None = _rt.field(9, _rt.I32, default=None)
    """Id of the field in the schema that the file was written from (Iceberg and Protocol Buffers use it)."""
    logicalType: LogicalType | None = _rt.field(10, "LogicalType", default=None)
    """What the values mean; absent where the physical type says everything."""


class PageEncodingStats(_rt.Struct):
    """Number of pages of a column chunk with one type and encoding."""

    page_type: PageType | int = _rt.field(1, "PageType")
    """Kind of the pages counted."""
    encoding: Encoding | int = _rt.field(2, "Encoding")
    """Encoding of the pages counted."""
    count: int = _rt.field(3, _rt.I32)
    """How many pages there are; not negative."""


class KeyValue(_rt.Struct):
    """A pair of texts that an application stores; pyarrow's schema is one, under the key "ARROW:schema"."""

    key: str = _rt.field(1, _rt.STRING)
    """Name of the entry; nothing forbids that one occurs twice."""
    value: str | None = _rt.field(2, _rt.STRING, default=None)
    """Value of the entry; may be absent, which differs from empty."""


class SortingColumn(_rt.Struct):
    """One column of the order that the rows of a row group are in."""

    column_idx: int = _rt.field(1, _rt.I32)
    """The column's position among the leaf columns, from 0."""
    descending: bool = _rt.field(2, _rt.BOOL)
    """Whether values fall."""
    nulls_first: bool = _rt.field(3, _rt.BOOL)
    """Whether nulls come before all values, in either direction."""


class ColumnMetaData(_rt.Struct):
    """Metadata of a column chunk: what a reader needs to find and decode its pages."""

    type: Type | int = _rt.field(1, "Type")
    """Physical type, the same as in the schema."""
    encodings: list[Encoding | int] = _rt.field(2, _rt.list_("Encoding"))
    """All encodings that occur in the chunk, for levels too; a set in no particular order."""
    path_in_schema: list[str] | None = _rt.field(3, _rt.list_(_rt.STRING), default=None)
    """Names from the root's child down to the leaf; the newest writers leave them to the schema."""
    codec: CompressionCodec | int = _rt.field(4, "CompressionCodec")
    """Compression of all pages."""
    num_values: int = _rt.field(5, _rt.I64)
    """Values with nulls counted; not negative, and for a column that never repeats the rows of the row group."""
    total_uncompressed_size: int = _rt.field(6, _rt.I64)
    """Bytes of all pages decompressed, with their headers; not negative."""
    total_compressed_size: int = _rt.field(7, _rt.I64)
    """Bytes of all pages as stored, with their headers; the chunk's length in the file, not negative."""
    key_value_metadata: list[KeyValue] | None = _rt.field(8, _rt.list_("KeyValue"), default=None)
    """Entries that an application stores with the chunk."""
    data_page_offset: int = _rt.field(9, _rt.I64)
    """Offset of the first data page's header."""
    index_page_offset: int | None = _rt.field(10, _rt.I64, default=None)
    """Offset of an index page; no writer sets it."""
    dictionary_page_offset: int | None = _rt.field(11, _rt.I64, default=None)
    """Offset of the dictionary page's header; some writers store 0 for none."""
    statistics: Statistics | None = _rt.field(12, "Statistics", default=None)
    """Statistics of all values."""
    encoding_stats: list[PageEncodingStats] | None = _rt.field(13, _rt.list_("PageEncodingStats"), default=None)
    """Pages by type and encoding, enough to tell whether all data pages use the dictionary."""
    bloom_filter_offset: int | None = _rt.field(14, _rt.I64, default=None)
    """Offset of the BloomFilterHeader."""
    bloom_filter_length: int | None = _rt.field(15, _rt.I32, default=None)
    """Bytes of Bloom filter header and bitset; absent in files older than 2.10."""
    size_statistics: SizeStatistics | None = _rt.field(16, "SizeStatistics", default=None)
    """Sizes once decoded, and level histograms."""
    geospatial_statistics: GeospatialStatistics | None = _rt.field(17, "GeospatialStatistics", default=None)
    """Bounds and types of a GEOMETRY or GEOGRAPHY column."""


class ColumnChunk(_rt.Struct):
    """One column of one row group: its metadata and the places of its indexes."""

    file_path: str | None = _rt.field(1, _rt.STRING, default=None)
    """File that holds the data, relative to this one; absent means this file. Only summary files set it."""
    file_offset: int = _rt.field(2, _rt.I64, "required", default=0)
    """Once the place of a copy of the metadata; deprecated, writers store 0 and readers ignore it."""
    meta_data: ColumnMetaData | None = _rt.field(3, "ColumnMetaData", default=None)
    """Metadata of the chunk; in practice always set, unless it is encrypted with the column's own key."""
    offset_index_offset: int | None = _rt.field(4, _rt.I64, default=None)
    """Offset of the OffsetIndex."""
    offset_index_length: int | None = _rt.field(5, _rt.I32, default=None)
    """Bytes of the OffsetIndex."""
    column_index_offset: int | None = _rt.field(6, _rt.I64, default=None)
    """Offset of the ColumnIndex."""
    column_index_length: int | None = _rt.field(7, _rt.I32, default=None)
    """Bytes of the ColumnIndex."""
    crypto_metadata: ColumnCryptoMetaData | None = _rt.field(8, "ColumnCryptoMetaData", default=None)
    """Which key the chunk is encrypted with; absent where it is not encrypted."""
    encrypted_column_metadata: bytes | None = _rt.field(9, _rt.BINARY, default=None)
    """The encrypted ColumnMetaData of a chunk with its own key; `meta_data` is then absent or lacks statistics."""


class RowGroup(_rt.Struct):
    """A horizontal slice of the table: one column chunk for every leaf of the schema."""

    columns: list[ColumnChunk] = _rt.field(1, _rt.list_("ColumnChunk"))
    """The chunks, in the order of the schema's leaves."""
    total_byte_size: int = _rt.field(2, _rt.I64)
    """Bytes of all column data decompressed; not negative."""
    num_rows: int = _rt.field(3, _rt.I64)
    """Rows; not negative. The rows of all row groups add up to FileMetaData.num_rows."""
    sorting_columns: list[SortingColumn] | None = _rt.field(4, _rt.list_("SortingColumn"), default=None)
    """Order of the rows, most significant column first; need not name every column."""
    file_offset: int | None = _rt.field(5, _rt.I64, default=None)
    """Offset of the first page, dictionary or data."""
    total_compressed_size: int | None = _rt.field(6, _rt.I64, default=None)
    """Bytes of all column data as stored."""
    ordinal: int | None = _rt.field(7, _rt.I16, default=None)
    """Position of the row group in the file, from 0; encryption needs it."""


class TypeDefinedOrder(_rt.Marker):
    """The order that the logical type defines, or the physical type where there is none."""


class IEEE754TotalOrder(_rt.Marker):
    """The total order of IEEE 754 section 5.10: -NaN, -infinity, ..., -0, +0, ..., +infinity, +NaN."""


class Int96TimestampOrder(_rt.Marker):
    """Order of INT96 timestamps: by day, then by nanoseconds of the day."""


class ColumnOrder(_rt.Union):
    """The order that min_value and max_value of a column follow; a reader that does not know the member ignores
    both.
    """

    TYPE_ORDER: _rt.Empty[TypeDefinedOrder] = _rt.member(1, "TypeDefinedOrder")
    """As the column's type defines it."""
    IEEE_754_TOTAL_ORDER: _rt.Empty[IEEE754TotalOrder] = _rt.member(2, "IEEE754TotalOrder")
    """IEEE 754 total order, for floating point columns."""
    INT96_TIMESTAMP_ORDER: _rt.Empty[Int96TimestampOrder] = _rt.member(3, "Int96TimestampOrder")
    """In order of time, for INT96 columns."""


class FileMetaData(_rt.Struct):
    """The footer of a file: its schema and where everything is."""

    version: int = _rt.field(1, _rt.I32)
    """Version of the format, 1 or 2; readers treat both alike."""
    schema: list[SchemaElement] = _rt.field(2, _rt.list_("SchemaElement"))
    """The schema tree, depth first; at least the root, and no element belongs to no parent."""
    num_rows: int = _rt.field(3, _rt.I64)
    """Rows of the file; not negative."""
    row_groups: list[RowGroup] = _rt.field(4, _rt.list_("RowGroup"))
    """The row groups in file order."""
    key_value_metadata: list[KeyValue] | None = _rt.field(5, _rt.list_("KeyValue"), default=None)
    """Entries that an application stores with the file."""
    created_by: str | None = _rt.field(6, _rt.STRING, default=None)
    """The application that wrote the file, as "name version X (build Y)" by custom."""
    column_orders: list[ColumnOrder] | None = _rt.field(7, _rt.list_("ColumnOrder"), default=None)
    """Order of min_value and max_value, one entry a leaf column; absent means that both have no defined order."""
    encryption_algorithm: EncryptionAlgorithm | None = _rt.field(8, "EncryptionAlgorithm", default=None)
    """The cipher, set only where an encrypted file has a plaintext footer."""
    footer_signing_key_metadata: bytes | None = _rt.field(9, _rt.BINARY, default=None)
    """How to find the key that signed a plaintext footer; the signature's 28 bytes follow this struct."""


__spec__ = _fields.describe(globals(), "parquet.idl", {
    "Type": 12, "ConvertedType": 32, "FieldRepetitionType": 80, "EdgeInterpolationAlgorithm": 90, "Encoding": 104,
    "CompressionCodec": 128, "PageType": 148, "BoundaryOrder": 160, "Statistics": 177, "SizeStatistics": 199,
    "BoundingBox": 209, "GeospatialStatistics": 229, "StringType": 239, "UUIDType": 242, "MapType": 245,
    "ListType": 248, "EnumType": 251, "DateType": 254, "Float16Type": 257, "NullType": 260, "DecimalType": 266,
    "MilliSeconds": 274, "MicroSeconds": 277, "NanoSeconds": 280, "TimeUnit": 283, "TimestampType": 293,
    "TimeType": 301, "IntType": 309, "JsonType": 317, "BsonType": 320, "VariantType": 323, "GeometryType": 329,
    "GeographyType": 335, "FileType": 343, "LogicalType": 350, "DataPageHeader": 392, "IndexPageHeader": 406,
    "DictionaryPageHeader": 409, "DataPageHeaderV2": 419, "PageHeader": 439, "PageLocation": 461,
    "OffsetIndex": 471, "ColumnIndex": 479, "SplitBlockAlgorithm": 499, "BloomFilterAlgorithm": 502,
    "XxHash": 508, "BloomFilterHash": 511, "Uncompressed": 517, "BloomFilterCompression": 520,
    "BloomFilterHeader": 526, "AesGcmV1": 540, "AesGcmCtrV1": 550, "EncryptionAlgorithm": 560,
    "EncryptionWithFooterKey": 568, "EncryptionWithColumnKey": 571, "ColumnCryptoMetaData": 579,
    "FileCryptoMetaData": 587, "SchemaElement": 601, "PageEncodingStats": 625, "KeyValue": 635,
    "SortingColumn": 643, "ColumnMetaData": 653, "ColumnChunk": 691, "RowGroup": 713, "TypeDefinedOrder": 731,
    "IEEE754TotalOrder": 734, "Int96TimestampOrder": 737, "ColumnOrder": 740, "FileMetaData": 750,
})  # fmt: skip
_rt.register(__name__, __spec__)
