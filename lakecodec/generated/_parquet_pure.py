# Generated from parquet.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:e6c961f17f5bbb9e96fdabe0273721085ceb7faf515ae130525822a677dbd900
"""Pure Python readers and writers of parquet, used where no native accelerator runs."""

from __future__ import annotations

from struct import Struct
from typing import Any

from ..runtime.compact.field_dispatch import *
from . import parquet as _m

unpack_double = Struct("<d").unpack_from
new = object.__new__
SHORT_5 = short_sizes(5)
SHORT_6 = short_sizes(6)
SHORT_8 = short_sizes(8)
SHORT_12 = short_sizes(12)
_Statistics = _m.Statistics
_SizeStatistics = _m.SizeStatistics
_BoundingBox = _m.BoundingBox
_GeospatialStatistics = _m.GeospatialStatistics
_DecimalType = _m.DecimalType
_TimestampType = _m.TimestampType
_TimeType = _m.TimeType
_IntType = _m.IntType
_VariantType = _m.VariantType
_GeometryType = _m.GeometryType
_GeographyType = _m.GeographyType
_DataPageHeader = _m.DataPageHeader
_DictionaryPageHeader = _m.DictionaryPageHeader
_DataPageHeaderV2 = _m.DataPageHeaderV2
_PageHeader = _m.PageHeader
_PageLocation = _m.PageLocation
_OffsetIndex = _m.OffsetIndex
_ColumnIndex = _m.ColumnIndex
_BloomFilterHeader = _m.BloomFilterHeader
_AesGcmV1 = _m.AesGcmV1
_AesGcmCtrV1 = _m.AesGcmCtrV1
_EncryptionWithColumnKey = _m.EncryptionWithColumnKey
_FileCryptoMetaData = _m.FileCryptoMetaData
_SchemaElement = _m.SchemaElement
_PageEncodingStats = _m.PageEncodingStats
_KeyValue = _m.KeyValue
_SortingColumn = _m.SortingColumn
_ColumnMetaData = _m.ColumnMetaData
_ColumnChunk = _m.ColumnChunk
_RowGroup = _m.RowGroup
_FileMetaData = _m.FileMetaData
_BoundaryOrder_of_byte = enum_table(_m.BoundaryOrder)
_CompressionCodec_of_byte = enum_table(_m.CompressionCodec)
_ConvertedType_of_byte = enum_table(_m.ConvertedType)
_EdgeInterpolationAlgorithm_of_byte = enum_table(_m.EdgeInterpolationAlgorithm)
_Encoding_of_byte = enum_table(_m.Encoding)
_FieldRepetitionType_of_byte = enum_table(_m.FieldRepetitionType)
_PageType_of_byte = enum_table(_m.PageType)
_Type_of_byte = enum_table(_m.Type)
_TYPE_BoundingBox_xmin = _m.BoundingBox.__spec__.fields[0].type
_TYPE_BoundingBox_xmax = _m.BoundingBox.__spec__.fields[1].type
_TYPE_BoundingBox_ymin = _m.BoundingBox.__spec__.fields[2].type
_TYPE_BoundingBox_ymax = _m.BoundingBox.__spec__.fields[3].type
_TYPE_BoundingBox_zmin = _m.BoundingBox.__spec__.fields[4].type
_TYPE_BoundingBox_zmax = _m.BoundingBox.__spec__.fields[5].type
_TYPE_BoundingBox_mmin = _m.BoundingBox.__spec__.fields[6].type
_TYPE_BoundingBox_mmax = _m.BoundingBox.__spec__.fields[7].type
_TYPE_IntType_bitWidth = _m.IntType.__spec__.fields[0].type
_TYPE_VariantType_specification_version = _m.VariantType.__spec__.fields[0].type
_TYPE_ColumnIndex_null_pages = _m.ColumnIndex.__spec__.fields[0].type


def _read_Statistics(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_Statistics)
    made.max = None
    made.min = None
    made.null_count = None
    made.distinct_count = None
    made.max_value = None
    made.min_value = None
    made.is_max_value_exact = None
    made.is_min_value_exact = None
    made.nan_count = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 24:  # 1: max
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.max = buf[pos:end]
            pos = end
            key = buf[pos] + 16
            pos += 1
        if key == 40:  # 2: min
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.min = buf[pos:end]
            pos = end
            key = buf[pos] + 32
            pos += 1
        if key == 54:  # 3: null_count
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.null_count = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.null_count = (byte >> 1) ^ -(byte & 1)
            else:
                made.null_count, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 48
            pos += 1
        if key == 70:  # 4: distinct_count
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.distinct_count = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.distinct_count = (byte >> 1) ^ -(byte & 1)
            else:
                made.distinct_count, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 64
            pos += 1
        if key == 88:  # 5: max_value
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.max_value = buf[pos:end]
            pos = end
            key = buf[pos] + 80
            pos += 1
        if key == 104:  # 6: min_value
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.min_value = buf[pos:end]
            pos = end
            key = buf[pos] + 96
            pos += 1
        if key == 113 or key == 114:  # 7: is_max_value_exact
            made.is_max_value_exact = key == 113
            key = buf[pos] + 112
            pos += 1
        if key == 129 or key == 130:  # 8: is_min_value_exact
            made.is_min_value_exact = key == 129
            key = buf[pos] + 128
            pos += 1
        if key == 150:  # 9: nan_count
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.nan_count = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.nan_count = (byte >> 1) ^ -(byte & 1)
            else:
                made.nan_count, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 144
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_Statistics, room)
    return made, pos


def _write_Statistics(out: bytearray, made: Any) -> None:
    if type(made) is not _Statistics and not isinstance(made, _Statistics):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    value = made.max
    if value is not None:
        put(24)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
        last = 1
    value = made.min
    if value is not None:
        put((2 - last) << 4 | 8)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
        last = 2
    value = made.null_count
    if value is not None:
        put((3 - last) << 4 | 6)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 64)
        last = 3
    value = made.distinct_count
    if value is not None:
        put((4 - last) << 4 | 6)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 64)
        last = 4
    value = made.max_value
    if value is not None:
        put((5 - last) << 4 | 8)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
        last = 5
    value = made.min_value
    if value is not None:
        put((6 - last) << 4 | 8)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
        last = 6
    value = made.is_max_value_exact
    if value is not None:
        write_field_header(out, last, 7, wire_bool(value))
        last = 7
    value = made.is_min_value_exact
    if value is not None:
        write_field_header(out, last, 8, wire_bool(value))
        last = 8
    value = made.nan_count
    if value is not None:
        put((9 - last) << 4 | 6)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 64)
    put(0)


_KEYS_Statistics = frozenset({24, 40, 54, 70, 88, 104, 113, 114, 129, 130, 150})


def _read_SizeStatistics(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_SizeStatistics)
    items: list[Any]
    made.unencoded_byte_array_data_bytes = None
    made.repetition_level_histogram = None
    made.definition_level_histogram = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 22:  # 1: unencoded_byte_array_data_bytes
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.unencoded_byte_array_data_bytes = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.unencoded_byte_array_data_bytes = (byte >> 1) ^ -(byte & 1)
            else:
                made.unencoded_byte_array_data_bytes, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 41:  # 2: repetition_level_histogram
            size = SHORT_6[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 6)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                byte = buf[pos]
                pos += 1
                if byte < 128:
                    items.append(ZIGZAG[byte])
                elif (more := buf[pos]) < 128:
                    byte += (more << 7) - 128
                    pos += 1
                    items.append((byte >> 1) ^ -(byte & 1))
                else:
                    byte, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
                    items.append(byte)
            made.repetition_level_histogram = items
            key = buf[pos] + 32
            pos += 1
        if key == 57:  # 3: definition_level_histogram
            size = SHORT_6[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 6)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                byte = buf[pos]
                pos += 1
                if byte < 128:
                    items.append(ZIGZAG[byte])
                elif (more := buf[pos]) < 128:
                    byte += (more << 7) - 128
                    pos += 1
                    items.append((byte >> 1) ^ -(byte & 1))
                else:
                    byte, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
                    items.append(byte)
            made.definition_level_histogram = items
            key = buf[pos] + 48
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_SizeStatistics, room)
    return made, pos


def _write_SizeStatistics(out: bytearray, made: Any) -> None:
    if type(made) is not _SizeStatistics and not isinstance(made, _SizeStatistics):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    value = made.unencoded_byte_array_data_bytes
    if value is not None:
        put(22)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 64)
        last = 1
    value = made.repetition_level_histogram
    if value is not None:
        put((2 - last) << 4 | 9)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 6)
        else:
            write_list_header(out, size, 6)
        for item in value:
            if type(item) is not int:
                item = as_int(item)
            zigzag = item << 1 if item >= 0 else ~(item << 1)
            if zigzag < 128:
                put(zigzag)
            elif zigzag < 16384:
                put(zigzag & 127 | 128)
                put(zigzag >> 7)
            else:
                write_long(out, zigzag, 64)

        last = 2
    value = made.definition_level_histogram
    if value is not None:
        put((3 - last) << 4 | 9)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 6)
        else:
            write_list_header(out, size, 6)
        for item in value:
            if type(item) is not int:
                item = as_int(item)
            zigzag = item << 1 if item >= 0 else ~(item << 1)
            if zigzag < 128:
                put(zigzag)
            elif zigzag < 16384:
                put(zigzag & 127 | 128)
                put(zigzag >> 7)
            else:
                write_long(out, zigzag, 64)
    put(0)


_KEYS_SizeStatistics = frozenset({22, 41, 57})


def _read_BoundingBox(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_BoundingBox)
    made.zmin = None
    made.zmax = None
    made.mmin = None
    made.mmax = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 23:  # 1: xmin
            made.xmin = unpack_double(buf, pos)[0]
            pos += 8
            key = buf[pos] + 16
            pos += 1
        if key == 39:  # 2: xmax
            made.xmax = unpack_double(buf, pos)[0]
            pos += 8
            key = buf[pos] + 32
            pos += 1
        if key == 55:  # 3: ymin
            made.ymin = unpack_double(buf, pos)[0]
            pos += 8
            key = buf[pos] + 48
            pos += 1
        if key == 71:  # 4: ymax
            made.ymax = unpack_double(buf, pos)[0]
            pos += 8
            key = buf[pos] + 64
            pos += 1
        if key == 87:  # 5: zmin
            made.zmin = unpack_double(buf, pos)[0]
            pos += 8
            key = buf[pos] + 80
            pos += 1
        if key == 103:  # 6: zmax
            made.zmax = unpack_double(buf, pos)[0]
            pos += 8
            key = buf[pos] + 96
            pos += 1
        if key == 119:  # 7: mmin
            made.mmin = unpack_double(buf, pos)[0]
            pos += 8
            key = buf[pos] + 112
            pos += 1
        if key == 135:  # 8: mmax
            made.mmax = unpack_double(buf, pos)[0]
            pos += 8
            key = buf[pos] + 128
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_BoundingBox, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.xmin, made.xmax, made.ymin, made.ymax
    return made, pos


def _write_BoundingBox(out: bytearray, made: Any) -> None:
    if type(made) is not _BoundingBox and not isinstance(made, _BoundingBox):
        raise TypeError
    put = out.append
    value: Any
    value = made.xmin
    put(23)
    write_value(_TYPE_BoundingBox_xmin, out, value)
    value = made.xmax
    put(23)
    write_value(_TYPE_BoundingBox_xmax, out, value)
    value = made.ymin
    put(23)
    write_value(_TYPE_BoundingBox_ymin, out, value)
    value = made.ymax
    put(23)
    write_value(_TYPE_BoundingBox_ymax, out, value)
    last = 4
    value = made.zmin
    if value is not None:
        put(23)
        write_value(_TYPE_BoundingBox_zmin, out, value)
        last = 5
    value = made.zmax
    if value is not None:
        put((6 - last) << 4 | 7)
        write_value(_TYPE_BoundingBox_zmax, out, value)
        last = 6
    value = made.mmin
    if value is not None:
        put((7 - last) << 4 | 7)
        write_value(_TYPE_BoundingBox_mmin, out, value)
        last = 7
    value = made.mmax
    if value is not None:
        put((8 - last) << 4 | 7)
        write_value(_TYPE_BoundingBox_mmax, out, value)
    put(0)


_KEYS_BoundingBox = frozenset({23, 39, 55, 71, 87, 103, 119, 135})


def _read_GeospatialStatistics(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_GeospatialStatistics)
    items: list[Any]
    made.bbox = None
    made.geospatial_types = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 28:  # 1: bbox
            made.bbox, pos = _read_BoundingBox(buf, pos, reading, room - 1)
            key = buf[pos] + 16
            pos += 1
        if key == 41:  # 2: geospatial_types
            size = SHORT_5[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 5)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                byte = buf[pos]
                pos += 1
                if byte < 128:
                    items.append(ZIGZAG[byte])
                elif (more := buf[pos]) < 128:
                    byte += (more << 7) - 128
                    pos += 1
                    items.append((byte >> 1) ^ -(byte & 1))
                else:
                    byte, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
                    items.append(byte)
            made.geospatial_types = items
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_GeospatialStatistics, room)
    return made, pos


def _write_GeospatialStatistics(out: bytearray, made: Any) -> None:
    if type(made) is not _GeospatialStatistics and not isinstance(made, _GeospatialStatistics):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    value = made.bbox
    if value is not None:
        put(28)
        _write_BoundingBox(out, value)
        last = 1
    value = made.geospatial_types
    if value is not None:
        put((2 - last) << 4 | 9)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 5)
        else:
            write_list_header(out, size, 5)
        for item in value:
            if type(item) is not int:
                item = as_int(item)
            zigzag = item << 1 if item >= 0 else ~(item << 1)
            if zigzag < 128:
                put(zigzag)
            elif zigzag < 16384:
                put(zigzag & 127 | 128)
                put(zigzag >> 7)
            else:
                write_long(out, zigzag, 32)
    put(0)


_KEYS_GeospatialStatistics = frozenset({28, 41})


def _read_DecimalType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_DecimalType)
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: scale
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.scale = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.scale = (byte >> 1) ^ -(byte & 1)
            else:
                made.scale, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 37:  # 2: precision
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.precision = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.precision = (byte >> 1) ^ -(byte & 1)
            else:
                made.precision, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_DecimalType, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.scale, made.precision
    return made, pos


def _write_DecimalType(out: bytearray, made: Any) -> None:
    if type(made) is not _DecimalType and not isinstance(made, _DecimalType):
        raise TypeError
    put = out.append
    value: Any
    value = made.scale
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.precision
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    put(0)


_KEYS_DecimalType = frozenset({21, 37})


def _read_TimestampType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_TimestampType)
    key = buf[pos]
    pos += 1
    while True:
        if key == 17 or key == 18:  # 1: isAdjustedToUTC
            made.isAdjustedToUTC = key == 17
            key = buf[pos] + 16
            pos += 1
        if key == 44:  # 2: unit
            made.unit, pos = _read_TimeUnit(buf, pos, reading, room - 1)
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_TimestampType, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.isAdjustedToUTC, made.unit
    return made, pos


def _write_TimestampType(out: bytearray, made: Any) -> None:
    if type(made) is not _TimestampType and not isinstance(made, _TimestampType):
        raise TypeError
    put = out.append
    value: Any
    value = made.isAdjustedToUTC
    put(16 | wire_bool(value))
    value = made.unit
    put(28)
    _write_TimeUnit(out, value)
    put(0)


_KEYS_TimestampType = frozenset({17, 18, 44})


def _read_TimeType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_TimeType)
    key = buf[pos]
    pos += 1
    while True:
        if key == 17 or key == 18:  # 1: isAdjustedToUTC
            made.isAdjustedToUTC = key == 17
            key = buf[pos] + 16
            pos += 1
        if key == 44:  # 2: unit
            made.unit, pos = _read_TimeUnit(buf, pos, reading, room - 1)
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_TimeType, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.isAdjustedToUTC, made.unit
    return made, pos


def _write_TimeType(out: bytearray, made: Any) -> None:
    if type(made) is not _TimeType and not isinstance(made, _TimeType):
        raise TypeError
    put = out.append
    value: Any
    value = made.isAdjustedToUTC
    put(16 | wire_bool(value))
    value = made.unit
    put(28)
    _write_TimeUnit(out, value)
    put(0)


_KEYS_TimeType = frozenset({17, 18, 44})


def _read_IntType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_IntType)
    key = buf[pos]
    pos += 1
    while True:
        if key == 19:  # 1: bitWidth
            made.bitWidth = (buf[pos] ^ 128) - 128
            pos += 1
            key = buf[pos] + 16
            pos += 1
        if key == 33 or key == 34:  # 2: isSigned
            made.isSigned = key == 33
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_IntType, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.bitWidth, made.isSigned
    return made, pos


def _write_IntType(out: bytearray, made: Any) -> None:
    if type(made) is not _IntType and not isinstance(made, _IntType):
        raise TypeError
    put = out.append
    value: Any
    value = made.bitWidth
    put(19)
    write_value(_TYPE_IntType_bitWidth, out, value)
    value = made.isSigned
    put(16 | wire_bool(value))
    put(0)


_KEYS_IntType = frozenset({19, 33, 34})


def _read_VariantType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_VariantType)
    made.specification_version = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 19:  # 1: specification_version
            made.specification_version = (buf[pos] ^ 128) - 128
            pos += 1
            key = buf[pos] + 16
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_VariantType, room)
    return made, pos


def _write_VariantType(out: bytearray, made: Any) -> None:
    if type(made) is not _VariantType and not isinstance(made, _VariantType):
        raise TypeError
    put = out.append
    value: Any
    value = made.specification_version
    if value is not None:
        put(19)
        write_value(_TYPE_VariantType_specification_version, out, value)
    put(0)


_KEYS_VariantType = frozenset({19})


def _read_GeometryType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_GeometryType)
    made.crs = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 24:  # 1: crs
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.crs = buf[pos:end].decode()
            pos = end
            key = buf[pos] + 16
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_GeometryType, room)
    return made, pos


def _write_GeometryType(out: bytearray, made: Any) -> None:
    if type(made) is not _GeometryType and not isinstance(made, _GeometryType):
        raise TypeError
    put = out.append
    value: Any
    value = made.crs
    if value is not None:
        put(24)
        data = value.encode()
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
    put(0)


_KEYS_GeometryType = frozenset({24})


def _read_GeographyType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_GeographyType)
    made.crs = None
    made.algorithm = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 24:  # 1: crs
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.crs = buf[pos:end].decode()
            pos = end
            key = buf[pos] + 16
            pos += 1
        if key == 37:  # 2: algorithm
            made.algorithm = _EdgeInterpolationAlgorithm_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_GeographyType, room)
    return made, pos


def _write_GeographyType(out: bytearray, made: Any) -> None:
    if type(made) is not _GeographyType and not isinstance(made, _GeographyType):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    value = made.crs
    if value is not None:
        put(24)
        data = value.encode()
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
        last = 1
    value = made.algorithm
    if value is not None:
        put((2 - last) << 4 | 5)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
    put(0)


_KEYS_GeographyType = frozenset({24, 37})


def _read_DataPageHeader(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_DataPageHeader)
    made.statistics = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: num_values
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.num_values = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.num_values = (byte >> 1) ^ -(byte & 1)
            else:
                made.num_values, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 37:  # 2: encoding
            made.encoding = _Encoding_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 32
            pos += 1
        if key == 53:  # 3: definition_level_encoding
            made.definition_level_encoding = _Encoding_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 48
            pos += 1
        if key == 69:  # 4: repetition_level_encoding
            made.repetition_level_encoding = _Encoding_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 64
            pos += 1
        if key == 92:  # 5: statistics
            made.statistics, pos = _read_Statistics(buf, pos, reading, room - 1)
            key = buf[pos] + 80
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_DataPageHeader, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.num_values, made.encoding, made.definition_level_encoding, made.repetition_level_encoding
    return made, pos


def _write_DataPageHeader(out: bytearray, made: Any) -> None:
    if type(made) is not _DataPageHeader and not isinstance(made, _DataPageHeader):
        raise TypeError
    put = out.append
    value: Any
    value = made.num_values
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.encoding
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.definition_level_encoding
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.repetition_level_encoding
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.statistics
    if value is not None:
        put(28)
        _write_Statistics(out, value)
    put(0)


_KEYS_DataPageHeader = frozenset({21, 37, 53, 69, 92})


def _read_DictionaryPageHeader(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_DictionaryPageHeader)
    made.is_sorted = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: num_values
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.num_values = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.num_values = (byte >> 1) ^ -(byte & 1)
            else:
                made.num_values, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 37:  # 2: encoding
            made.encoding = _Encoding_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 32
            pos += 1
        if key == 49 or key == 50:  # 3: is_sorted
            made.is_sorted = key == 49
            key = buf[pos] + 48
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_DictionaryPageHeader, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.num_values, made.encoding
    return made, pos


def _write_DictionaryPageHeader(out: bytearray, made: Any) -> None:
    if type(made) is not _DictionaryPageHeader and not isinstance(made, _DictionaryPageHeader):
        raise TypeError
    put = out.append
    value: Any
    value = made.num_values
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.encoding
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.is_sorted
    if value is not None:
        put(16 | wire_bool(value))
    put(0)


_KEYS_DictionaryPageHeader = frozenset({21, 37, 49, 50})


def _read_DataPageHeaderV2(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_DataPageHeaderV2)
    made.is_compressed = None
    made.statistics = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: num_values
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.num_values = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.num_values = (byte >> 1) ^ -(byte & 1)
            else:
                made.num_values, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 37:  # 2: num_nulls
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.num_nulls = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.num_nulls = (byte >> 1) ^ -(byte & 1)
            else:
                made.num_nulls, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 32
            pos += 1
        if key == 53:  # 3: num_rows
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.num_rows = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.num_rows = (byte >> 1) ^ -(byte & 1)
            else:
                made.num_rows, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 48
            pos += 1
        if key == 69:  # 4: encoding
            made.encoding = _Encoding_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 64
            pos += 1
        if key == 85:  # 5: definition_levels_byte_length
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.definition_levels_byte_length = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.definition_levels_byte_length = (byte >> 1) ^ -(byte & 1)
            else:
                made.definition_levels_byte_length, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 80
            pos += 1
        if key == 101:  # 6: repetition_levels_byte_length
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.repetition_levels_byte_length = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.repetition_levels_byte_length = (byte >> 1) ^ -(byte & 1)
            else:
                made.repetition_levels_byte_length, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 96
            pos += 1
        if key == 113 or key == 114:  # 7: is_compressed
            made.is_compressed = key == 113
            key = buf[pos] + 112
            pos += 1
        if key == 140:  # 8: statistics
            made.statistics, pos = _read_Statistics(buf, pos, reading, room - 1)
            key = buf[pos] + 128
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_DataPageHeaderV2, room)
    # A required field that is missing left its slot empty: an AttributeError.
    (
        made.num_values,
        made.num_nulls,
        made.num_rows,
        made.encoding,
        made.definition_levels_byte_length,
        made.repetition_levels_byte_length,
    )
    return made, pos


def _write_DataPageHeaderV2(out: bytearray, made: Any) -> None:
    if type(made) is not _DataPageHeaderV2 and not isinstance(made, _DataPageHeaderV2):
        raise TypeError
    put = out.append
    value: Any
    value = made.num_values
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.num_nulls
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.num_rows
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.encoding
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.definition_levels_byte_length
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.repetition_levels_byte_length
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    last = 6
    value = made.is_compressed
    if value is not None:
        put(16 | wire_bool(value))
        last = 7
    value = made.statistics
    if value is not None:
        put((8 - last) << 4 | 12)
        _write_Statistics(out, value)
    put(0)


_KEYS_DataPageHeaderV2 = frozenset({21, 37, 53, 69, 85, 101, 113, 114, 140})


def _read_PageHeader(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_PageHeader)
    made.crc = None
    made.data_page_header = None
    made.index_page_header = None
    made.dictionary_page_header = None
    made.data_page_header_v2 = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: type
            made.type = _PageType_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 16
            pos += 1
        if key == 37:  # 2: uncompressed_page_size
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.uncompressed_page_size = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.uncompressed_page_size = (byte >> 1) ^ -(byte & 1)
            else:
                made.uncompressed_page_size, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 32
            pos += 1
        if key == 53:  # 3: compressed_page_size
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.compressed_page_size = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.compressed_page_size = (byte >> 1) ^ -(byte & 1)
            else:
                made.compressed_page_size, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 48
            pos += 1
        if key == 69:  # 4: crc
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.crc = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.crc = (byte >> 1) ^ -(byte & 1)
            else:
                made.crc, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 64
            pos += 1
        if key == 92:  # 5: data_page_header
            made.data_page_header, pos = _read_DataPageHeader(buf, pos, reading, room - 1)
            key = buf[pos] + 80
            pos += 1
        if key == 108:  # 6: index_page_header
            made.index_page_header, pos = _read_IndexPageHeader(buf, pos, reading, room - 1)
            key = buf[pos] + 96
            pos += 1
        if key == 124:  # 7: dictionary_page_header
            made.dictionary_page_header, pos = _read_DictionaryPageHeader(buf, pos, reading, room - 1)
            key = buf[pos] + 112
            pos += 1
        if key == 140:  # 8: data_page_header_v2
            made.data_page_header_v2, pos = _read_DataPageHeaderV2(buf, pos, reading, room - 1)
            key = buf[pos] + 128
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_PageHeader, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.type, made.uncompressed_page_size, made.compressed_page_size
    return made, pos


def _write_PageHeader(out: bytearray, made: Any) -> None:
    if type(made) is not _PageHeader and not isinstance(made, _PageHeader):
        raise TypeError
    put = out.append
    value: Any
    value = made.type
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.uncompressed_page_size
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.compressed_page_size
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    last = 3
    value = made.crc
    if value is not None:
        put(21)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 4
    value = made.data_page_header
    if value is not None:
        put((5 - last) << 4 | 12)
        _write_DataPageHeader(out, value)
        last = 5
    value = made.index_page_header
    if value is not None:
        put((6 - last) << 4 | 12)
        _write_IndexPageHeader(out, value)
        last = 6
    value = made.dictionary_page_header
    if value is not None:
        put((7 - last) << 4 | 12)
        _write_DictionaryPageHeader(out, value)
        last = 7
    value = made.data_page_header_v2
    if value is not None:
        put((8 - last) << 4 | 12)
        _write_DataPageHeaderV2(out, value)
    put(0)


_KEYS_PageHeader = frozenset({21, 37, 53, 69, 92, 108, 124, 140})


def _read_PageLocation(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_PageLocation)
    key = buf[pos]
    pos += 1
    while True:
        if key == 22:  # 1: offset
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.offset = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.offset = (byte >> 1) ^ -(byte & 1)
            else:
                made.offset, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 37:  # 2: compressed_page_size
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.compressed_page_size = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.compressed_page_size = (byte >> 1) ^ -(byte & 1)
            else:
                made.compressed_page_size, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 32
            pos += 1
        if key == 54:  # 3: first_row_index
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.first_row_index = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.first_row_index = (byte >> 1) ^ -(byte & 1)
            else:
                made.first_row_index, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 48
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_PageLocation, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.offset, made.compressed_page_size, made.first_row_index
    return made, pos


def _write_PageLocation(out: bytearray, made: Any) -> None:
    if type(made) is not _PageLocation and not isinstance(made, _PageLocation):
        raise TypeError
    put = out.append
    value: Any
    value = made.offset
    put(22)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 64)
    value = made.compressed_page_size
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.first_row_index
    put(22)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 64)
    put(0)


_KEYS_PageLocation = frozenset({22, 37, 54})


def _read_OffsetIndex(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_OffsetIndex)
    items: list[Any]
    made.unencoded_byte_array_data_bytes = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 25:  # 1: page_locations
            size = SHORT_12[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 12)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_PageLocation(buf, pos, reading, room - 2)
                items.append(item)
            made.page_locations = items
            key = buf[pos] + 16
            pos += 1
        if key == 41:  # 2: unencoded_byte_array_data_bytes
            size = SHORT_6[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 6)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                byte = buf[pos]
                pos += 1
                if byte < 128:
                    items.append(ZIGZAG[byte])
                elif (more := buf[pos]) < 128:
                    byte += (more << 7) - 128
                    pos += 1
                    items.append((byte >> 1) ^ -(byte & 1))
                else:
                    byte, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
                    items.append(byte)
            made.unencoded_byte_array_data_bytes = items
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_OffsetIndex, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.page_locations
    return made, pos


def _write_OffsetIndex(out: bytearray, made: Any) -> None:
    if type(made) is not _OffsetIndex and not isinstance(made, _OffsetIndex):
        raise TypeError
    put = out.append
    value: Any
    value = made.page_locations
    put(25)
    if type(value) is not list:
        value = as_list(value)
    size = len(value)
    if size < 15:
        put(size << 4 | 12)
    else:
        write_list_header(out, size, 12)
    for item in value:
        _write_PageLocation(out, item)
    value = made.unencoded_byte_array_data_bytes
    if value is not None:
        put(25)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 6)
        else:
            write_list_header(out, size, 6)
        for item in value:
            if type(item) is not int:
                item = as_int(item)
            zigzag = item << 1 if item >= 0 else ~(item << 1)
            if zigzag < 128:
                put(zigzag)
            elif zigzag < 16384:
                put(zigzag & 127 | 128)
                put(zigzag >> 7)
            else:
                write_long(out, zigzag, 64)
    put(0)


_KEYS_OffsetIndex = frozenset({25, 41})


def _read_ColumnIndex(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_ColumnIndex)
    items: list[Any]
    made.null_counts = None
    made.repetition_level_histograms = None
    made.definition_level_histograms = None
    made.nan_counts = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 25:  # 1: null_pages
            made.null_pages, pos = read_value(_TYPE_ColumnIndex_null_pages, buf, pos, reading, room)
            key = buf[pos] + 16
            pos += 1
        if key == 41:  # 2: min_values
            size = SHORT_8[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 8)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                size = buf[pos]
                pos += 1
                if size > 127:
                    size, pos = read_length(buf, pos - 1)
                end = pos + size
                items.append(buf[pos:end])
                pos = end
            made.min_values = items
            key = buf[pos] + 32
            pos += 1
        if key == 57:  # 3: max_values
            size = SHORT_8[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 8)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                size = buf[pos]
                pos += 1
                if size > 127:
                    size, pos = read_length(buf, pos - 1)
                end = pos + size
                items.append(buf[pos:end])
                pos = end
            made.max_values = items
            key = buf[pos] + 48
            pos += 1
        if key == 69:  # 4: boundary_order
            made.boundary_order = _BoundaryOrder_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 64
            pos += 1
        if key == 89:  # 5: null_counts
            size = SHORT_6[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 6)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                byte = buf[pos]
                pos += 1
                if byte < 128:
                    items.append(ZIGZAG[byte])
                elif (more := buf[pos]) < 128:
                    byte += (more << 7) - 128
                    pos += 1
                    items.append((byte >> 1) ^ -(byte & 1))
                else:
                    byte, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
                    items.append(byte)
            made.null_counts = items
            key = buf[pos] + 80
            pos += 1
        if key == 105:  # 6: repetition_level_histograms
            size = SHORT_6[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 6)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                byte = buf[pos]
                pos += 1
                if byte < 128:
                    items.append(ZIGZAG[byte])
                elif (more := buf[pos]) < 128:
                    byte += (more << 7) - 128
                    pos += 1
                    items.append((byte >> 1) ^ -(byte & 1))
                else:
                    byte, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
                    items.append(byte)
            made.repetition_level_histograms = items
            key = buf[pos] + 96
            pos += 1
        if key == 121:  # 7: definition_level_histograms
            size = SHORT_6[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 6)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                byte = buf[pos]
                pos += 1
                if byte < 128:
                    items.append(ZIGZAG[byte])
                elif (more := buf[pos]) < 128:
                    byte += (more << 7) - 128
                    pos += 1
                    items.append((byte >> 1) ^ -(byte & 1))
                else:
                    byte, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
                    items.append(byte)
            made.definition_level_histograms = items
            key = buf[pos] + 112
            pos += 1
        if key == 137:  # 8: nan_counts
            size = SHORT_6[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 6)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                byte = buf[pos]
                pos += 1
                if byte < 128:
                    items.append(ZIGZAG[byte])
                elif (more := buf[pos]) < 128:
                    byte += (more << 7) - 128
                    pos += 1
                    items.append((byte >> 1) ^ -(byte & 1))
                else:
                    byte, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
                    items.append(byte)
            made.nan_counts = items
            key = buf[pos] + 128
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_ColumnIndex, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.null_pages, made.min_values, made.max_values, made.boundary_order
    return made, pos


def _write_ColumnIndex(out: bytearray, made: Any) -> None:
    if type(made) is not _ColumnIndex and not isinstance(made, _ColumnIndex):
        raise TypeError
    put = out.append
    value: Any
    value = made.null_pages
    put(25)
    write_value(_TYPE_ColumnIndex_null_pages, out, value)
    value = made.min_values
    put(25)
    if type(value) is not list:
        value = as_list(value)
    size = len(value)
    if size < 15:
        put(size << 4 | 8)
    else:
        write_list_header(out, size, 8)
    for item in value:
        data = item if type(item) is bytes else as_bytes(item)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
    value = made.max_values
    put(25)
    if type(value) is not list:
        value = as_list(value)
    size = len(value)
    if size < 15:
        put(size << 4 | 8)
    else:
        write_list_header(out, size, 8)
    for item in value:
        data = item if type(item) is bytes else as_bytes(item)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
    value = made.boundary_order
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    last = 4
    value = made.null_counts
    if value is not None:
        put(25)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 6)
        else:
            write_list_header(out, size, 6)
        for item in value:
            if type(item) is not int:
                item = as_int(item)
            zigzag = item << 1 if item >= 0 else ~(item << 1)
            if zigzag < 128:
                put(zigzag)
            elif zigzag < 16384:
                put(zigzag & 127 | 128)
                put(zigzag >> 7)
            else:
                write_long(out, zigzag, 64)

        last = 5
    value = made.repetition_level_histograms
    if value is not None:
        put((6 - last) << 4 | 9)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 6)
        else:
            write_list_header(out, size, 6)
        for item in value:
            if type(item) is not int:
                item = as_int(item)
            zigzag = item << 1 if item >= 0 else ~(item << 1)
            if zigzag < 128:
                put(zigzag)
            elif zigzag < 16384:
                put(zigzag & 127 | 128)
                put(zigzag >> 7)
            else:
                write_long(out, zigzag, 64)

        last = 6
    value = made.definition_level_histograms
    if value is not None:
        put((7 - last) << 4 | 9)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 6)
        else:
            write_list_header(out, size, 6)
        for item in value:
            if type(item) is not int:
                item = as_int(item)
            zigzag = item << 1 if item >= 0 else ~(item << 1)
            if zigzag < 128:
                put(zigzag)
            elif zigzag < 16384:
                put(zigzag & 127 | 128)
                put(zigzag >> 7)
            else:
                write_long(out, zigzag, 64)

        last = 7
    value = made.nan_counts
    if value is not None:
        put((8 - last) << 4 | 9)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 6)
        else:
            write_list_header(out, size, 6)
        for item in value:
            if type(item) is not int:
                item = as_int(item)
            zigzag = item << 1 if item >= 0 else ~(item << 1)
            if zigzag < 128:
                put(zigzag)
            elif zigzag < 16384:
                put(zigzag & 127 | 128)
                put(zigzag >> 7)
            else:
                write_long(out, zigzag, 64)
    put(0)


_KEYS_ColumnIndex = frozenset({25, 41, 57, 69, 89, 105, 121, 137})


def _read_BloomFilterHeader(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_BloomFilterHeader)
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: numBytes
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.numBytes = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.numBytes = (byte >> 1) ^ -(byte & 1)
            else:
                made.numBytes, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 44:  # 2: algorithm
            made.algorithm, pos = _read_BloomFilterAlgorithm(buf, pos, reading, room - 1)
            key = buf[pos] + 32
            pos += 1
        if key == 60:  # 3: hash
            made.hash, pos = _read_BloomFilterHash(buf, pos, reading, room - 1)
            key = buf[pos] + 48
            pos += 1
        if key == 76:  # 4: compression
            made.compression, pos = _read_BloomFilterCompression(buf, pos, reading, room - 1)
            key = buf[pos] + 64
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_BloomFilterHeader, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.numBytes, made.algorithm, made.hash, made.compression
    return made, pos


def _write_BloomFilterHeader(out: bytearray, made: Any) -> None:
    if type(made) is not _BloomFilterHeader and not isinstance(made, _BloomFilterHeader):
        raise TypeError
    put = out.append
    value: Any
    value = made.numBytes
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.algorithm
    put(28)
    _write_BloomFilterAlgorithm(out, value)
    value = made.hash
    put(28)
    _write_BloomFilterHash(out, value)
    value = made.compression
    put(28)
    _write_BloomFilterCompression(out, value)
    put(0)


_KEYS_BloomFilterHeader = frozenset({21, 44, 60, 76})


def _read_AesGcmV1(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_AesGcmV1)
    made.aad_prefix = None
    made.aad_file_unique = None
    made.supply_aad_prefix = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 24:  # 1: aad_prefix
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.aad_prefix = buf[pos:end]
            pos = end
            key = buf[pos] + 16
            pos += 1
        if key == 40:  # 2: aad_file_unique
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.aad_file_unique = buf[pos:end]
            pos = end
            key = buf[pos] + 32
            pos += 1
        if key == 49 or key == 50:  # 3: supply_aad_prefix
            made.supply_aad_prefix = key == 49
            key = buf[pos] + 48
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_AesGcmV1, room)
    return made, pos


def _write_AesGcmV1(out: bytearray, made: Any) -> None:
    if type(made) is not _AesGcmV1 and not isinstance(made, _AesGcmV1):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    value = made.aad_prefix
    if value is not None:
        put(24)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
        last = 1
    value = made.aad_file_unique
    if value is not None:
        put((2 - last) << 4 | 8)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
        last = 2
    value = made.supply_aad_prefix
    if value is not None:
        write_field_header(out, last, 3, wire_bool(value))
    put(0)


_KEYS_AesGcmV1 = frozenset({24, 40, 49, 50})


def _read_AesGcmCtrV1(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_AesGcmCtrV1)
    made.aad_prefix = None
    made.aad_file_unique = None
    made.supply_aad_prefix = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 24:  # 1: aad_prefix
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.aad_prefix = buf[pos:end]
            pos = end
            key = buf[pos] + 16
            pos += 1
        if key == 40:  # 2: aad_file_unique
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.aad_file_unique = buf[pos:end]
            pos = end
            key = buf[pos] + 32
            pos += 1
        if key == 49 or key == 50:  # 3: supply_aad_prefix
            made.supply_aad_prefix = key == 49
            key = buf[pos] + 48
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_AesGcmCtrV1, room)
    return made, pos


def _write_AesGcmCtrV1(out: bytearray, made: Any) -> None:
    if type(made) is not _AesGcmCtrV1 and not isinstance(made, _AesGcmCtrV1):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    value = made.aad_prefix
    if value is not None:
        put(24)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
        last = 1
    value = made.aad_file_unique
    if value is not None:
        put((2 - last) << 4 | 8)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
        last = 2
    value = made.supply_aad_prefix
    if value is not None:
        write_field_header(out, last, 3, wire_bool(value))
    put(0)


_KEYS_AesGcmCtrV1 = frozenset({24, 40, 49, 50})


def _read_EncryptionWithColumnKey(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_EncryptionWithColumnKey)
    items: list[Any]
    made.key_metadata = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 25:  # 1: path_in_schema
            size = SHORT_8[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 8)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                size = buf[pos]
                pos += 1
                if size > 127:
                    size, pos = read_length(buf, pos - 1)
                end = pos + size
                items.append(buf[pos:end].decode())
                pos = end
            made.path_in_schema = items
            key = buf[pos] + 16
            pos += 1
        if key == 40:  # 2: key_metadata
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.key_metadata = buf[pos:end]
            pos = end
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_EncryptionWithColumnKey, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.path_in_schema
    return made, pos


def _write_EncryptionWithColumnKey(out: bytearray, made: Any) -> None:
    if type(made) is not _EncryptionWithColumnKey and not isinstance(made, _EncryptionWithColumnKey):
        raise TypeError
    put = out.append
    value: Any
    value = made.path_in_schema
    put(25)
    if type(value) is not list:
        value = as_list(value)
    size = len(value)
    if size < 15:
        put(size << 4 | 8)
    else:
        write_list_header(out, size, 8)
    for item in value:
        data = item.encode()
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
    value = made.key_metadata
    if value is not None:
        put(24)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
    put(0)


_KEYS_EncryptionWithColumnKey = frozenset({25, 40})


def _read_FileCryptoMetaData(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_FileCryptoMetaData)
    made.key_metadata = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 28:  # 1: encryption_algorithm
            made.encryption_algorithm, pos = _read_EncryptionAlgorithm(buf, pos, reading, room - 1)
            key = buf[pos] + 16
            pos += 1
        if key == 40:  # 2: key_metadata
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.key_metadata = buf[pos:end]
            pos = end
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_FileCryptoMetaData, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.encryption_algorithm
    return made, pos


def _write_FileCryptoMetaData(out: bytearray, made: Any) -> None:
    if type(made) is not _FileCryptoMetaData and not isinstance(made, _FileCryptoMetaData):
        raise TypeError
    put = out.append
    value: Any
    value = made.encryption_algorithm
    put(28)
    _write_EncryptionAlgorithm(out, value)
    value = made.key_metadata
    if value is not None:
        put(24)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
    put(0)


_KEYS_FileCryptoMetaData = frozenset({28, 40})


def _read_SchemaElement(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_SchemaElement)
    made.type = None
    made.type_length = None
    made.repetition_type = None
    made.num_children = None
    made.converted_type = None
    made.scale = None
    made.precision = None
    made.field_id = None
    made.logicalType = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: type
            made.type = _Type_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 16
            pos += 1
        if key == 37:  # 2: type_length
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.type_length = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.type_length = (byte >> 1) ^ -(byte & 1)
            else:
                made.type_length, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 32
            pos += 1
        if key == 53:  # 3: repetition_type
            made.repetition_type = _FieldRepetitionType_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 48
            pos += 1
        if key == 72:  # 4: name
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.name = buf[pos:end].decode()
            pos = end
            key = buf[pos] + 64
            pos += 1
        if key == 85:  # 5: num_children
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.num_children = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.num_children = (byte >> 1) ^ -(byte & 1)
            else:
                made.num_children, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 80
            pos += 1
        if key == 101:  # 6: converted_type
            made.converted_type = _ConvertedType_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 96
            pos += 1
        if key == 117:  # 7: scale
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.scale = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.scale = (byte >> 1) ^ -(byte & 1)
            else:
                made.scale, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 112
            pos += 1
        if key == 133:  # 8: precision
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.precision = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.precision = (byte >> 1) ^ -(byte & 1)
            else:
                made.precision, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 128
            pos += 1
        if key == 149:  # 9: field_id
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.field_id = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.field_id = (byte >> 1) ^ -(byte & 1)
            else:
                made.field_id, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 144
            pos += 1
        if key == 172:  # 10: logicalType
            made.logicalType, pos = _read_LogicalType(buf, pos, reading, room - 1)
            key = buf[pos] + 160
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_SchemaElement, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.name
    return made, pos


def _write_SchemaElement(out: bytearray, made: Any) -> None:
    if type(made) is not _SchemaElement and not isinstance(made, _SchemaElement):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    value = made.type
    if value is not None:
        put(21)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 1
    value = made.type_length
    if value is not None:
        put((2 - last) << 4 | 5)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 2
    value = made.repetition_type
    if value is not None:
        put((3 - last) << 4 | 5)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 3
    value = made.name
    put((4 - last) << 4 | 8)
    data = value.encode()
    size = len(data)
    if size < 128:
        put(size)
    else:
        write_varint(out, size)
    out += data
    last = 4
    value = made.num_children
    if value is not None:
        put(21)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 5
    value = made.converted_type
    if value is not None:
        put((6 - last) << 4 | 5)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 6
    value = made.scale
    if value is not None:
        put((7 - last) << 4 | 5)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 7
    value = made.precision
    if value is not None:
        put((8 - last) << 4 | 5)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 8
    value = made.field_id
    if value is not None:
        put((9 - last) << 4 | 5)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 9
    value = made.logicalType
    if value is not None:
        put((10 - last) << 4 | 12)
        _write_LogicalType(out, value)
    put(0)


_KEYS_SchemaElement = frozenset({21, 37, 53, 72, 85, 101, 117, 133, 149, 172})


def _read_PageEncodingStats(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_PageEncodingStats)
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: page_type
            made.page_type = _PageType_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 16
            pos += 1
        if key == 37:  # 2: encoding
            made.encoding = _Encoding_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 32
            pos += 1
        if key == 53:  # 3: count
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.count = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.count = (byte >> 1) ^ -(byte & 1)
            else:
                made.count, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 48
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_PageEncodingStats, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.page_type, made.encoding, made.count
    return made, pos


def _write_PageEncodingStats(out: bytearray, made: Any) -> None:
    if type(made) is not _PageEncodingStats and not isinstance(made, _PageEncodingStats):
        raise TypeError
    put = out.append
    value: Any
    value = made.page_type
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.encoding
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.count
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    put(0)


_KEYS_PageEncodingStats = frozenset({21, 37, 53})


def _read_KeyValue(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_KeyValue)
    made.value = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 24:  # 1: key
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.key = buf[pos:end].decode()
            pos = end
            key = buf[pos] + 16
            pos += 1
        if key == 40:  # 2: value
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.value = buf[pos:end].decode()
            pos = end
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_KeyValue, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.key
    return made, pos


def _write_KeyValue(out: bytearray, made: Any) -> None:
    if type(made) is not _KeyValue and not isinstance(made, _KeyValue):
        raise TypeError
    put = out.append
    value: Any
    value = made.key
    put(24)
    data = value.encode()
    size = len(data)
    if size < 128:
        put(size)
    else:
        write_varint(out, size)
    out += data
    value = made.value
    if value is not None:
        put(24)
        data = value.encode()
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
    put(0)


_KEYS_KeyValue = frozenset({24, 40})


def _read_SortingColumn(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_SortingColumn)
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: column_idx
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.column_idx = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.column_idx = (byte >> 1) ^ -(byte & 1)
            else:
                made.column_idx, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 33 or key == 34:  # 2: descending
            made.descending = key == 33
            key = buf[pos] + 32
            pos += 1
        if key == 49 or key == 50:  # 3: nulls_first
            made.nulls_first = key == 49
            key = buf[pos] + 48
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_SortingColumn, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.column_idx, made.descending, made.nulls_first
    return made, pos


def _write_SortingColumn(out: bytearray, made: Any) -> None:
    if type(made) is not _SortingColumn and not isinstance(made, _SortingColumn):
        raise TypeError
    put = out.append
    value: Any
    value = made.column_idx
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.descending
    put(16 | wire_bool(value))
    value = made.nulls_first
    put(16 | wire_bool(value))
    put(0)


_KEYS_SortingColumn = frozenset({21, 33, 34, 49, 50})


def _read_ColumnMetaData(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_ColumnMetaData)
    items: list[Any]
    made.key_value_metadata = None
    made.index_page_offset = None
    made.dictionary_page_offset = None
    made.statistics = None
    made.encoding_stats = None
    made.bloom_filter_offset = None
    made.bloom_filter_length = None
    made.size_statistics = None
    made.geospatial_statistics = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: type
            made.type = _Type_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 16
            pos += 1
        if key == 41:  # 2: encodings
            size = SHORT_5[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 5)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for byte in buf[pos : pos + size]:
                items.append(_Encoding_of_byte[byte])
            pos += size
            made.encodings = items
            key = buf[pos] + 32
            pos += 1
        if key == 57:  # 3: path_in_schema
            size = SHORT_8[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 8)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                size = buf[pos]
                pos += 1
                if size > 127:
                    size, pos = read_length(buf, pos - 1)
                end = pos + size
                items.append(buf[pos:end].decode())
                pos = end
            made.path_in_schema = items
            key = buf[pos] + 48
            pos += 1
        if key == 69:  # 4: codec
            made.codec = _CompressionCodec_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 64
            pos += 1
        if key == 86:  # 5: num_values
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.num_values = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.num_values = (byte >> 1) ^ -(byte & 1)
            else:
                made.num_values, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 80
            pos += 1
        if key == 102:  # 6: total_uncompressed_size
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.total_uncompressed_size = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.total_uncompressed_size = (byte >> 1) ^ -(byte & 1)
            else:
                made.total_uncompressed_size, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 96
            pos += 1
        if key == 118:  # 7: total_compressed_size
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.total_compressed_size = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.total_compressed_size = (byte >> 1) ^ -(byte & 1)
            else:
                made.total_compressed_size, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 112
            pos += 1
        if key == 137:  # 8: key_value_metadata
            size = SHORT_12[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 12)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_KeyValue(buf, pos, reading, room - 2)
                items.append(item)
            made.key_value_metadata = items
            key = buf[pos] + 128
            pos += 1
        if key == 150:  # 9: data_page_offset
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.data_page_offset = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.data_page_offset = (byte >> 1) ^ -(byte & 1)
            else:
                made.data_page_offset, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 144
            pos += 1
        if key == 166:  # 10: index_page_offset
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.index_page_offset = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.index_page_offset = (byte >> 1) ^ -(byte & 1)
            else:
                made.index_page_offset, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 160
            pos += 1
        if key == 182:  # 11: dictionary_page_offset
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.dictionary_page_offset = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.dictionary_page_offset = (byte >> 1) ^ -(byte & 1)
            else:
                made.dictionary_page_offset, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 176
            pos += 1
        if key == 204:  # 12: statistics
            made.statistics, pos = _read_Statistics(buf, pos, reading, room - 1)
            key = buf[pos] + 192
            pos += 1
        if key == 217:  # 13: encoding_stats
            size = SHORT_12[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 12)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_PageEncodingStats(buf, pos, reading, room - 2)
                items.append(item)
            made.encoding_stats = items
            key = buf[pos] + 208
            pos += 1
        if key == 230:  # 14: bloom_filter_offset
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.bloom_filter_offset = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.bloom_filter_offset = (byte >> 1) ^ -(byte & 1)
            else:
                made.bloom_filter_offset, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 224
            pos += 1
        if key == 245:  # 15: bloom_filter_length
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.bloom_filter_length = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.bloom_filter_length = (byte >> 1) ^ -(byte & 1)
            else:
                made.bloom_filter_length, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 240
            pos += 1
        if key == 268:  # 16: size_statistics
            made.size_statistics, pos = _read_SizeStatistics(buf, pos, reading, room - 1)
            key = buf[pos] + 256
            pos += 1
        if key == 284:  # 17: geospatial_statistics
            made.geospatial_statistics, pos = _read_GeospatialStatistics(buf, pos, reading, room - 1)
            key = buf[pos] + 272
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_ColumnMetaData, room)
    # A required field that is missing left its slot empty: an AttributeError.
    (
        made.type,
        made.encodings,
        made.path_in_schema,
        made.codec,
        made.num_values,
        made.total_uncompressed_size,
        made.total_compressed_size,
        made.data_page_offset,
    )
    return made, pos


def _write_ColumnMetaData(out: bytearray, made: Any) -> None:
    if type(made) is not _ColumnMetaData and not isinstance(made, _ColumnMetaData):
        raise TypeError
    put = out.append
    value: Any
    value = made.type
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.encodings
    put(25)
    if type(value) is not list:
        value = as_list(value)
    size = len(value)
    if size < 15:
        put(size << 4 | 5)
    else:
        write_list_header(out, size, 5)
    for item in value:
        if type(item) is not int:
            item = as_int(item)
        zigzag = item << 1 if item >= 0 else ~(item << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
    value = made.path_in_schema
    put(25)
    if type(value) is not list:
        value = as_list(value)
    size = len(value)
    if size < 15:
        put(size << 4 | 8)
    else:
        write_list_header(out, size, 8)
    for item in value:
        data = item.encode()
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
    value = made.codec
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.num_values
    put(22)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 64)
    value = made.total_uncompressed_size
    put(22)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 64)
    value = made.total_compressed_size
    put(22)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 64)
    last = 7
    value = made.key_value_metadata
    if value is not None:
        put(25)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 12)
        else:
            write_list_header(out, size, 12)
        for item in value:
            _write_KeyValue(out, item)

        last = 8
    value = made.data_page_offset
    put((9 - last) << 4 | 6)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 64)
    last = 9
    value = made.index_page_offset
    if value is not None:
        put(22)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 64)
        last = 10
    value = made.dictionary_page_offset
    if value is not None:
        put((11 - last) << 4 | 6)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 64)
        last = 11
    value = made.statistics
    if value is not None:
        put((12 - last) << 4 | 12)
        _write_Statistics(out, value)
        last = 12
    value = made.encoding_stats
    if value is not None:
        put((13 - last) << 4 | 9)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 12)
        else:
            write_list_header(out, size, 12)
        for item in value:
            _write_PageEncodingStats(out, item)

        last = 13
    value = made.bloom_filter_offset
    if value is not None:
        put((14 - last) << 4 | 6)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 64)
        last = 14
    value = made.bloom_filter_length
    if value is not None:
        put((15 - last) << 4 | 5)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 15
    value = made.size_statistics
    if value is not None:
        put((16 - last) << 4 | 12)
        _write_SizeStatistics(out, value)
        last = 16
    value = made.geospatial_statistics
    if value is not None:
        put((17 - last) << 4 | 12)
        _write_GeospatialStatistics(out, value)
    put(0)


_KEYS_ColumnMetaData = frozenset({21, 41, 57, 69, 86, 102, 118, 137, 150, 166, 182, 204, 217, 230, 245, 268, 284})


def _read_ColumnChunk(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_ColumnChunk)
    made.file_path = None
    made.meta_data = None
    made.offset_index_offset = None
    made.offset_index_length = None
    made.column_index_offset = None
    made.column_index_length = None
    made.crypto_metadata = None
    made.encrypted_column_metadata = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 24:  # 1: file_path
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.file_path = buf[pos:end].decode()
            pos = end
            key = buf[pos] + 16
            pos += 1
        if key == 38:  # 2: file_offset
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.file_offset = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.file_offset = (byte >> 1) ^ -(byte & 1)
            else:
                made.file_offset, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 32
            pos += 1
        if key == 60:  # 3: meta_data
            made.meta_data, pos = _read_ColumnMetaData(buf, pos, reading, room - 1)
            key = buf[pos] + 48
            pos += 1
        if key == 70:  # 4: offset_index_offset
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.offset_index_offset = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.offset_index_offset = (byte >> 1) ^ -(byte & 1)
            else:
                made.offset_index_offset, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 64
            pos += 1
        if key == 85:  # 5: offset_index_length
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.offset_index_length = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.offset_index_length = (byte >> 1) ^ -(byte & 1)
            else:
                made.offset_index_length, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 80
            pos += 1
        if key == 102:  # 6: column_index_offset
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.column_index_offset = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.column_index_offset = (byte >> 1) ^ -(byte & 1)
            else:
                made.column_index_offset, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 96
            pos += 1
        if key == 117:  # 7: column_index_length
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.column_index_length = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.column_index_length = (byte >> 1) ^ -(byte & 1)
            else:
                made.column_index_length, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 112
            pos += 1
        if key == 140:  # 8: crypto_metadata
            made.crypto_metadata, pos = _read_ColumnCryptoMetaData(buf, pos, reading, room - 1)
            key = buf[pos] + 128
            pos += 1
        if key == 152:  # 9: encrypted_column_metadata
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.encrypted_column_metadata = buf[pos:end]
            pos = end
            key = buf[pos] + 144
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_ColumnChunk, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.file_offset
    return made, pos


def _write_ColumnChunk(out: bytearray, made: Any) -> None:
    if type(made) is not _ColumnChunk and not isinstance(made, _ColumnChunk):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    value = made.file_path
    if value is not None:
        put(24)
        data = value.encode()
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
        last = 1
    value = made.file_offset
    put((2 - last) << 4 | 6)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 64)
    last = 2
    value = made.meta_data
    if value is not None:
        put(28)
        _write_ColumnMetaData(out, value)
        last = 3
    value = made.offset_index_offset
    if value is not None:
        put((4 - last) << 4 | 6)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 64)
        last = 4
    value = made.offset_index_length
    if value is not None:
        put((5 - last) << 4 | 5)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 5
    value = made.column_index_offset
    if value is not None:
        put((6 - last) << 4 | 6)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 64)
        last = 6
    value = made.column_index_length
    if value is not None:
        put((7 - last) << 4 | 5)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 7
    value = made.crypto_metadata
    if value is not None:
        put((8 - last) << 4 | 12)
        _write_ColumnCryptoMetaData(out, value)
        last = 8
    value = made.encrypted_column_metadata
    if value is not None:
        put((9 - last) << 4 | 8)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
    put(0)


_KEYS_ColumnChunk = frozenset({24, 38, 60, 70, 85, 102, 117, 140, 152})


def _read_RowGroup(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_RowGroup)
    items: list[Any]
    made.sorting_columns = None
    made.file_offset = None
    made.total_compressed_size = None
    made.ordinal = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 25:  # 1: columns
            size = SHORT_12[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 12)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_ColumnChunk(buf, pos, reading, room - 2)
                items.append(item)
            made.columns = items
            key = buf[pos] + 16
            pos += 1
        if key == 38:  # 2: total_byte_size
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.total_byte_size = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.total_byte_size = (byte >> 1) ^ -(byte & 1)
            else:
                made.total_byte_size, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 32
            pos += 1
        if key == 54:  # 3: num_rows
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.num_rows = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.num_rows = (byte >> 1) ^ -(byte & 1)
            else:
                made.num_rows, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 48
            pos += 1
        if key == 73:  # 4: sorting_columns
            size = SHORT_12[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 12)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_SortingColumn(buf, pos, reading, room - 2)
                items.append(item)
            made.sorting_columns = items
            key = buf[pos] + 64
            pos += 1
        if key == 86:  # 5: file_offset
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.file_offset = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.file_offset = (byte >> 1) ^ -(byte & 1)
            else:
                made.file_offset, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 80
            pos += 1
        if key == 102:  # 6: total_compressed_size
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.total_compressed_size = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.total_compressed_size = (byte >> 1) ^ -(byte & 1)
            else:
                made.total_compressed_size, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 96
            pos += 1
        if key == 116:  # 7: ordinal
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.ordinal = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.ordinal = (byte >> 1) ^ -(byte & 1)
            else:
                made.ordinal, pos = tail_i16(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 112
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_RowGroup, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.columns, made.total_byte_size, made.num_rows
    return made, pos


def _write_RowGroup(out: bytearray, made: Any) -> None:
    if type(made) is not _RowGroup and not isinstance(made, _RowGroup):
        raise TypeError
    put = out.append
    value: Any
    value = made.columns
    put(25)
    if type(value) is not list:
        value = as_list(value)
    size = len(value)
    if size < 15:
        put(size << 4 | 12)
    else:
        write_list_header(out, size, 12)
    for item in value:
        _write_ColumnChunk(out, item)
    value = made.total_byte_size
    put(22)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 64)
    value = made.num_rows
    put(22)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 64)
    last = 3
    value = made.sorting_columns
    if value is not None:
        put(25)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 12)
        else:
            write_list_header(out, size, 12)
        for item in value:
            _write_SortingColumn(out, item)

        last = 4
    value = made.file_offset
    if value is not None:
        put((5 - last) << 4 | 6)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 64)
        last = 5
    value = made.total_compressed_size
    if value is not None:
        put((6 - last) << 4 | 6)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 64)
        last = 6
    value = made.ordinal
    if value is not None:
        put((7 - last) << 4 | 4)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 16)
    put(0)


_KEYS_RowGroup = frozenset({25, 38, 54, 73, 86, 102, 116})


def _read_FileMetaData(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_FileMetaData)
    items: list[Any]
    made.key_value_metadata = None
    made.created_by = None
    made.column_orders = None
    made.encryption_algorithm = None
    made.footer_signing_key_metadata = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: version
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.version = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.version = (byte >> 1) ^ -(byte & 1)
            else:
                made.version, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 41:  # 2: schema
            size = SHORT_12[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 12)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_SchemaElement(buf, pos, reading, room - 2)
                items.append(item)
            made.schema = items
            key = buf[pos] + 32
            pos += 1
        if key == 54:  # 3: num_rows
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.num_rows = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.num_rows = (byte >> 1) ^ -(byte & 1)
            else:
                made.num_rows, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 48
            pos += 1
        if key == 73:  # 4: row_groups
            size = SHORT_12[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 12)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_RowGroup(buf, pos, reading, room - 2)
                items.append(item)
            made.row_groups = items
            key = buf[pos] + 64
            pos += 1
        if key == 89:  # 5: key_value_metadata
            size = SHORT_12[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 12)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_KeyValue(buf, pos, reading, room - 2)
                items.append(item)
            made.key_value_metadata = items
            key = buf[pos] + 80
            pos += 1
        if key == 104:  # 6: created_by
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.created_by = buf[pos:end].decode()
            pos = end
            key = buf[pos] + 96
            pos += 1
        if key == 121:  # 7: column_orders
            size = SHORT_12[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 12)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_ColumnOrder(buf, pos, reading, room - 2)
                items.append(item)
            made.column_orders = items
            key = buf[pos] + 112
            pos += 1
        if key == 140:  # 8: encryption_algorithm
            made.encryption_algorithm, pos = _read_EncryptionAlgorithm(buf, pos, reading, room - 1)
            key = buf[pos] + 128
            pos += 1
        if key == 152:  # 9: footer_signing_key_metadata
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.footer_signing_key_metadata = buf[pos:end]
            pos = end
            key = buf[pos] + 144
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_FileMetaData, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.version, made.schema, made.num_rows, made.row_groups
    return made, pos


def _write_FileMetaData(out: bytearray, made: Any) -> None:
    if type(made) is not _FileMetaData and not isinstance(made, _FileMetaData):
        raise TypeError
    put = out.append
    value: Any
    value = made.version
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.schema
    put(25)
    if type(value) is not list:
        value = as_list(value)
    size = len(value)
    if size < 15:
        put(size << 4 | 12)
    else:
        write_list_header(out, size, 12)
    for item in value:
        _write_SchemaElement(out, item)
    value = made.num_rows
    put(22)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 64)
    value = made.row_groups
    put(25)
    if type(value) is not list:
        value = as_list(value)
    size = len(value)
    if size < 15:
        put(size << 4 | 12)
    else:
        write_list_header(out, size, 12)
    for item in value:
        _write_RowGroup(out, item)

    last = 4
    value = made.key_value_metadata
    if value is not None:
        put(25)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 12)
        else:
            write_list_header(out, size, 12)
        for item in value:
            _write_KeyValue(out, item)

        last = 5
    value = made.created_by
    if value is not None:
        put((6 - last) << 4 | 8)
        data = value.encode()
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
        last = 6
    value = made.column_orders
    if value is not None:
        put((7 - last) << 4 | 9)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 12)
        else:
            write_list_header(out, size, 12)
        for item in value:
            _write_ColumnOrder(out, item)

        last = 7
    value = made.encryption_algorithm
    if value is not None:
        put((8 - last) << 4 | 12)
        _write_EncryptionAlgorithm(out, value)
        last = 8
    value = made.footer_signing_key_metadata
    if value is not None:
        put((9 - last) << 4 | 8)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
    put(0)


_KEYS_FileMetaData = frozenset({21, 41, 54, 73, 89, 104, 121, 140, 152})

_read_TimeUnit: Any = union_reader(_m.TimeUnit, dict)
_write_TimeUnit = interpreting_writer(_m.TimeUnit)
_read_LogicalType: Any = union_reader(
    _m.LogicalType,
    lambda: {
        5: _read_DecimalType,
        7: _read_TimeType,
        8: _read_TimestampType,
        10: _read_IntType,
        16: _read_VariantType,
        17: _read_GeometryType,
        18: _read_GeographyType,
    },
)
_write_LogicalType = interpreting_writer(_m.LogicalType)
_read_BloomFilterAlgorithm: Any = union_reader(_m.BloomFilterAlgorithm, dict)
_write_BloomFilterAlgorithm = interpreting_writer(_m.BloomFilterAlgorithm)
_read_BloomFilterHash: Any = union_reader(_m.BloomFilterHash, dict)
_write_BloomFilterHash = interpreting_writer(_m.BloomFilterHash)
_read_BloomFilterCompression: Any = union_reader(_m.BloomFilterCompression, dict)
_write_BloomFilterCompression = interpreting_writer(_m.BloomFilterCompression)
_read_EncryptionAlgorithm: Any = union_reader(
    _m.EncryptionAlgorithm,
    lambda: {
        1: _read_AesGcmV1,
        2: _read_AesGcmCtrV1,
    },
)
_write_EncryptionAlgorithm = interpreting_writer(_m.EncryptionAlgorithm)
_read_ColumnCryptoMetaData: Any = union_reader(
    _m.ColumnCryptoMetaData,
    lambda: {
        2: _read_EncryptionWithColumnKey,
    },
)
_write_ColumnCryptoMetaData = interpreting_writer(_m.ColumnCryptoMetaData)
_read_ColumnOrder: Any = union_reader(_m.ColumnOrder, dict)
_write_ColumnOrder = interpreting_writer(_m.ColumnOrder)
_read_StringType = interpreting_reader(_m.StringType)
_write_StringType = interpreting_writer(_m.StringType)
_read_UUIDType = interpreting_reader(_m.UUIDType)
_write_UUIDType = interpreting_writer(_m.UUIDType)
_read_MapType = interpreting_reader(_m.MapType)
_write_MapType = interpreting_writer(_m.MapType)
_read_ListType = interpreting_reader(_m.ListType)
_write_ListType = interpreting_writer(_m.ListType)
_read_EnumType = interpreting_reader(_m.EnumType)
_write_EnumType = interpreting_writer(_m.EnumType)
_read_DateType = interpreting_reader(_m.DateType)
_write_DateType = interpreting_writer(_m.DateType)
_read_Float16Type = interpreting_reader(_m.Float16Type)
_write_Float16Type = interpreting_writer(_m.Float16Type)
_read_NullType = interpreting_reader(_m.NullType)
_write_NullType = interpreting_writer(_m.NullType)
_read_MilliSeconds = interpreting_reader(_m.MilliSeconds)
_write_MilliSeconds = interpreting_writer(_m.MilliSeconds)
_read_MicroSeconds = interpreting_reader(_m.MicroSeconds)
_write_MicroSeconds = interpreting_writer(_m.MicroSeconds)
_read_NanoSeconds = interpreting_reader(_m.NanoSeconds)
_write_NanoSeconds = interpreting_writer(_m.NanoSeconds)
_read_JsonType = interpreting_reader(_m.JsonType)
_write_JsonType = interpreting_writer(_m.JsonType)
_read_BsonType = interpreting_reader(_m.BsonType)
_write_BsonType = interpreting_writer(_m.BsonType)
_read_FileType = interpreting_reader(_m.FileType)
_write_FileType = interpreting_writer(_m.FileType)
_read_IndexPageHeader = interpreting_reader(_m.IndexPageHeader)
_write_IndexPageHeader = interpreting_writer(_m.IndexPageHeader)
_read_SplitBlockAlgorithm = interpreting_reader(_m.SplitBlockAlgorithm)
_write_SplitBlockAlgorithm = interpreting_writer(_m.SplitBlockAlgorithm)
_read_XxHash = interpreting_reader(_m.XxHash)
_write_XxHash = interpreting_writer(_m.XxHash)
_read_Uncompressed = interpreting_reader(_m.Uncompressed)
_write_Uncompressed = interpreting_writer(_m.Uncompressed)
_read_EncryptionWithFooterKey = interpreting_reader(_m.EncryptionWithFooterKey)
_write_EncryptionWithFooterKey = interpreting_writer(_m.EncryptionWithFooterKey)
_read_TypeDefinedOrder = interpreting_reader(_m.TypeDefinedOrder)
_write_TypeDefinedOrder = interpreting_writer(_m.TypeDefinedOrder)
_read_IEEE754TotalOrder = interpreting_reader(_m.IEEE754TotalOrder)
_write_IEEE754TotalOrder = interpreting_writer(_m.IEEE754TotalOrder)
_read_Int96TimestampOrder = interpreting_reader(_m.Int96TimestampOrder)
_write_Int96TimestampOrder = interpreting_writer(_m.Int96TimestampOrder)
READERS = {
    "Statistics": _read_Statistics,
    "SizeStatistics": _read_SizeStatistics,
    "BoundingBox": _read_BoundingBox,
    "GeospatialStatistics": _read_GeospatialStatistics,
    "StringType": _read_StringType,
    "UUIDType": _read_UUIDType,
    "MapType": _read_MapType,
    "ListType": _read_ListType,
    "EnumType": _read_EnumType,
    "DateType": _read_DateType,
    "Float16Type": _read_Float16Type,
    "NullType": _read_NullType,
    "DecimalType": _read_DecimalType,
    "MilliSeconds": _read_MilliSeconds,
    "MicroSeconds": _read_MicroSeconds,
    "NanoSeconds": _read_NanoSeconds,
    "TimeUnit": _read_TimeUnit,
    "TimestampType": _read_TimestampType,
    "TimeType": _read_TimeType,
    "IntType": _read_IntType,
    "JsonType": _read_JsonType,
    "BsonType": _read_BsonType,
    "VariantType": _read_VariantType,
    "GeometryType": _read_GeometryType,
    "GeographyType": _read_GeographyType,
    "FileType": _read_FileType,
    "LogicalType": _read_LogicalType,
    "DataPageHeader": _read_DataPageHeader,
    "IndexPageHeader": _read_IndexPageHeader,
    "DictionaryPageHeader": _read_DictionaryPageHeader,
    "DataPageHeaderV2": _read_DataPageHeaderV2,
    "PageHeader": _read_PageHeader,
    "PageLocation": _read_PageLocation,
    "OffsetIndex": _read_OffsetIndex,
    "ColumnIndex": _read_ColumnIndex,
    "SplitBlockAlgorithm": _read_SplitBlockAlgorithm,
    "BloomFilterAlgorithm": _read_BloomFilterAlgorithm,
    "XxHash": _read_XxHash,
    "BloomFilterHash": _read_BloomFilterHash,
    "Uncompressed": _read_Uncompressed,
    "BloomFilterCompression": _read_BloomFilterCompression,
    "BloomFilterHeader": _read_BloomFilterHeader,
    "AesGcmV1": _read_AesGcmV1,
    "AesGcmCtrV1": _read_AesGcmCtrV1,
    "EncryptionAlgorithm": _read_EncryptionAlgorithm,
    "EncryptionWithFooterKey": _read_EncryptionWithFooterKey,
    "EncryptionWithColumnKey": _read_EncryptionWithColumnKey,
    "ColumnCryptoMetaData": _read_ColumnCryptoMetaData,
    "FileCryptoMetaData": _read_FileCryptoMetaData,
    "SchemaElement": _read_SchemaElement,
    "PageEncodingStats": _read_PageEncodingStats,
    "KeyValue": _read_KeyValue,
    "SortingColumn": _read_SortingColumn,
    "ColumnMetaData": _read_ColumnMetaData,
    "ColumnChunk": _read_ColumnChunk,
    "RowGroup": _read_RowGroup,
    "TypeDefinedOrder": _read_TypeDefinedOrder,
    "IEEE754TotalOrder": _read_IEEE754TotalOrder,
    "Int96TimestampOrder": _read_Int96TimestampOrder,
    "ColumnOrder": _read_ColumnOrder,
    "FileMetaData": _read_FileMetaData,
}
WRITERS = {
    "Statistics": _write_Statistics,
    "SizeStatistics": _write_SizeStatistics,
    "BoundingBox": _write_BoundingBox,
    "GeospatialStatistics": _write_GeospatialStatistics,
    "StringType": _write_StringType,
    "UUIDType": _write_UUIDType,
    "MapType": _write_MapType,
    "ListType": _write_ListType,
    "EnumType": _write_EnumType,
    "DateType": _write_DateType,
    "Float16Type": _write_Float16Type,
    "NullType": _write_NullType,
    "DecimalType": _write_DecimalType,
    "MilliSeconds": _write_MilliSeconds,
    "MicroSeconds": _write_MicroSeconds,
    "NanoSeconds": _write_NanoSeconds,
    "TimeUnit": _write_TimeUnit,
    "TimestampType": _write_TimestampType,
    "TimeType": _write_TimeType,
    "IntType": _write_IntType,
    "JsonType": _write_JsonType,
    "BsonType": _write_BsonType,
    "VariantType": _write_VariantType,
    "GeometryType": _write_GeometryType,
    "GeographyType": _write_GeographyType,
    "FileType": _write_FileType,
    "LogicalType": _write_LogicalType,
    "DataPageHeader": _write_DataPageHeader,
    "IndexPageHeader": _write_IndexPageHeader,
    "DictionaryPageHeader": _write_DictionaryPageHeader,
    "DataPageHeaderV2": _write_DataPageHeaderV2,
    "PageHeader": _write_PageHeader,
    "PageLocation": _write_PageLocation,
    "OffsetIndex": _write_OffsetIndex,
    "ColumnIndex": _write_ColumnIndex,
    "SplitBlockAlgorithm": _write_SplitBlockAlgorithm,
    "BloomFilterAlgorithm": _write_BloomFilterAlgorithm,
    "XxHash": _write_XxHash,
    "BloomFilterHash": _write_BloomFilterHash,
    "Uncompressed": _write_Uncompressed,
    "BloomFilterCompression": _write_BloomFilterCompression,
    "BloomFilterHeader": _write_BloomFilterHeader,
    "AesGcmV1": _write_AesGcmV1,
    "AesGcmCtrV1": _write_AesGcmCtrV1,
    "EncryptionAlgorithm": _write_EncryptionAlgorithm,
    "EncryptionWithFooterKey": _write_EncryptionWithFooterKey,
    "EncryptionWithColumnKey": _write_EncryptionWithColumnKey,
    "ColumnCryptoMetaData": _write_ColumnCryptoMetaData,
    "FileCryptoMetaData": _write_FileCryptoMetaData,
    "SchemaElement": _write_SchemaElement,
    "PageEncodingStats": _write_PageEncodingStats,
    "KeyValue": _write_KeyValue,
    "SortingColumn": _write_SortingColumn,
    "ColumnMetaData": _write_ColumnMetaData,
    "ColumnChunk": _write_ColumnChunk,
    "RowGroup": _write_RowGroup,
    "TypeDefinedOrder": _write_TypeDefinedOrder,
    "IEEE754TotalOrder": _write_IEEE754TotalOrder,
    "Int96TimestampOrder": _write_Int96TimestampOrder,
    "ColumnOrder": _write_ColumnOrder,
    "FileMetaData": _write_FileMetaData,
}
