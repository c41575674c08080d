# Generated from parquet.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:73d86758d576ee397d905d8df84325a3645a946d22d01768b8360360d704d821
"""Pure Python readers and writers of parquet, used where no native accelerator runs."""

from __future__ import annotations

from struct import Struct
from typing import Any

from ..runtime.compact.field_dispatch import *
from . import parquet as _m

unpack_double = Struct("<d").unpack_from
new = object.__new__
SHORT_5, HEADERS_5 = list_headers(5)
SHORT_6, HEADERS_6 = list_headers(6)
SHORT_8, HEADERS_8 = list_headers(8)
SHORT_12, HEADERS_12 = list_headers(12)
_BoundaryOrder_of_byte = enum_table(_m.BoundaryOrder)
_CompressionCodec_of_byte = enum_table(_m.CompressionCodec)
_ConvertedType_of_byte = enum_table(_m.ConvertedType)
_EdgeInterpolationAlgorithm_of_byte = enum_table(_m.EdgeInterpolationAlgorithm)
_Encoding_of_byte = enum_table(_m.Encoding)
_FieldRepetitionType_of_byte = enum_table(_m.FieldRepetitionType)
_PageType_of_byte = enum_table(_m.PageType)
_Type_of_byte = enum_table(_m.Type)
_TYPE_BoundingBox_1 = _m.BoundingBox.__spec__.fields[0].type
_TYPE_BoundingBox_2 = _m.BoundingBox.__spec__.fields[1].type
_TYPE_BoundingBox_3 = _m.BoundingBox.__spec__.fields[2].type
_TYPE_BoundingBox_4 = _m.BoundingBox.__spec__.fields[3].type
_TYPE_BoundingBox_5 = _m.BoundingBox.__spec__.fields[4].type
_TYPE_BoundingBox_6 = _m.BoundingBox.__spec__.fields[5].type
_TYPE_BoundingBox_7 = _m.BoundingBox.__spec__.fields[6].type
_TYPE_BoundingBox_8 = _m.BoundingBox.__spec__.fields[7].type
_TYPE_IntType_1 = _m.IntType.__spec__.fields[0].type
_TYPE_VariantType_1 = _m.VariantType.__spec__.fields[0].type
_TYPE_ColumnIndex_1 = _m.ColumnIndex.__spec__.fields[0].type


def _read_Statistics(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.Statistics)
    made.max = made.min = made.null_count = made.distinct_count = made.max_value = None
    made.min_value = made.is_max_value_exact = made.is_min_value_exact = made.nan_count = None
    key = buf[pos]
    while True:
        if key == 24:  # 1: max
            if (size := buf[pos + 1]) < 128:
                made.max = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.max, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 16
        if key == 40:  # 2: min
            if (size := buf[pos + 1]) < 128:
                made.min = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.min, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 32
        if key == 54:  # 3: null_count
            if (byte := buf[pos + 1]) < 128:
                made.null_count = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.null_count = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.null_count, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 48
        if key == 70:  # 4: distinct_count
            if (byte := buf[pos + 1]) < 128:
                made.distinct_count = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.distinct_count = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.distinct_count, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 64
        if key == 88:  # 5: max_value
            if (size := buf[pos + 1]) < 128:
                made.max_value = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.max_value, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 80
        if key == 104:  # 6: min_value
            if (size := buf[pos + 1]) < 128:
                made.min_value = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.min_value, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 96
        if key == 113 or key == 114:  # 7: is_max_value_exact
            made.is_max_value_exact = key == 113
            pos += 1
            key = buf[pos] + 112
        if key == 129 or key == 130:  # 8: is_min_value_exact
            made.is_min_value_exact = key == 129
            pos += 1
            key = buf[pos] + 128
        if key == 150:  # 9: nan_count
            if (byte := buf[pos + 1]) < 128:
                made.nan_count = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.nan_count = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.nan_count, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 144
        if not key & 15:
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.Statistics, room)


def _write_Statistics(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.Statistics):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    if (value := made.max) is not None:
        put(24)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
        last = 1
    if (value := made.min) is not None:
        put((2 - last) << 4 | 8)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
        last = 2
    if (value := made.null_count) is not None:
        put((3 - last) << 4 | 6)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
        last = 3
    if (value := made.distinct_count) is not None:
        put((4 - last) << 4 | 6)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
        last = 4
    if (value := made.max_value) is not None:
        put((5 - last) << 4 | 8)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
        last = 5
    if (value := made.min_value) is not None:
        put((6 - last) << 4 | 8)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
        last = 6
    if (value := made.is_max_value_exact) is not None:
        write_field_header(out, last, 7, wire_bool(value))
        last = 7
    if (value := made.is_min_value_exact) is not None:
        write_field_header(out, last, 8, wire_bool(value))
        last = 8
    if (value := made.nan_count) is not None:
        put((9 - last) << 4 | 6)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
    put(0)


def _read_SizeStatistics(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.SizeStatistics)
    items: list[Any]
    made.unencoded_byte_array_data_bytes = made.repetition_level_histogram = None
    made.definition_level_histogram = None
    key = buf[pos]
    while True:
        if key == 22:  # 1: unencoded_byte_array_data_bytes
            if (byte := buf[pos + 1]) < 128:
                made.unencoded_byte_array_data_bytes = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.unencoded_byte_array_data_bytes = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.unencoded_byte_array_data_bytes, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 41:  # 2: repetition_level_histogram
            if (size := SHORT_6[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 6)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.repetition_level_histogram = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (byte := buf[pos]) < 128:
                    items.append(ZIGZAG[byte])
                    pos += 1
                elif (more := buf[pos + 1]) < 128:
                    items.append(ZIGZAG[byte + (more << 7)])
                    pos += 2
                else:
                    item, pos = tail_i64(buf, pos + 2, byte + (more << 7) - 16512)
                    items.append(item)
            key = buf[pos] + 32
        if key == 57:  # 3: definition_level_histogram
            if (size := SHORT_6[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 6)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.definition_level_histogram = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (byte := buf[pos]) < 128:
                    items.append(ZIGZAG[byte])
                    pos += 1
                elif (more := buf[pos + 1]) < 128:
                    items.append(ZIGZAG[byte + (more << 7)])
                    pos += 2
                else:
                    item, pos = tail_i64(buf, pos + 2, byte + (more << 7) - 16512)
                    items.append(item)
            key = buf[pos] + 48
        if not key & 15:
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.SizeStatistics, room)


def _write_SizeStatistics(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.SizeStatistics):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    if (value := made.unencoded_byte_array_data_bytes) is not None:
        put(22)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
        last = 1
    if (value := made.repetition_level_histogram) is not None:
        put((2 - last) << 4 | 9)
        out += HEADERS_6[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 6)
        for item in value:
            out += INTS[item] if type(item) is int and 0 <= item < 8192 else varint(item, 64)
        last = 2
    if (value := made.definition_level_histogram) is not None:
        put((3 - last) << 4 | 9)
        out += HEADERS_6[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 6)
        for item in value:
            out += INTS[item] if type(item) is int and 0 <= item < 8192 else varint(item, 64)
    put(0)


def _read_BoundingBox(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.BoundingBox)
    made.zmin = made.zmax = made.mmin = made.mmax = None
    key = buf[pos]
    while True:
        if key == 23:  # 1: xmin
            made.xmin = unpack_double(buf, pos + 1)[0]
            pos += 9
            key = buf[pos] + 16
        if key == 39:  # 2: xmax
            made.xmax = unpack_double(buf, pos + 1)[0]
            pos += 9
            key = buf[pos] + 32
        if key == 55:  # 3: ymin
            made.ymin = unpack_double(buf, pos + 1)[0]
            pos += 9
            key = buf[pos] + 48
        if key == 71:  # 4: ymax
            made.ymax = unpack_double(buf, pos + 1)[0]
            pos += 9
            key = buf[pos] + 64
        if key == 87:  # 5: zmin
            made.zmin = unpack_double(buf, pos + 1)[0]
            pos += 9
            key = buf[pos] + 80
        if key == 103:  # 6: zmax
            made.zmax = unpack_double(buf, pos + 1)[0]
            pos += 9
            key = buf[pos] + 96
        if key == 119:  # 7: mmin
            made.mmin = unpack_double(buf, pos + 1)[0]
            pos += 9
            key = buf[pos] + 112
        if key == 135:  # 8: mmax
            made.mmax = unpack_double(buf, pos + 1)[0]
            pos += 9
            key = buf[pos] + 128
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.xmin, made.xmax, made.ymin, made.ymax
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.BoundingBox, room)


def _write_BoundingBox(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.BoundingBox):
        raise TypeError
    put = out.append
    value: Any
    value = made.xmin
    put(23)
    write_value(_TYPE_BoundingBox_1, out, value)
    value = made.xmax
    put(23)
    write_value(_TYPE_BoundingBox_2, out, value)
    value = made.ymin
    put(23)
    write_value(_TYPE_BoundingBox_3, out, value)
    value = made.ymax
    put(23)
    write_value(_TYPE_BoundingBox_4, out, value)
    last = 4
    if (value := made.zmin) is not None:
        put(23)
        write_value(_TYPE_BoundingBox_5, out, value)
        last = 5
    if (value := made.zmax) is not None:
        put((6 - last) << 4 | 7)
        write_value(_TYPE_BoundingBox_6, out, value)
        last = 6
    if (value := made.mmin) is not None:
        put((7 - last) << 4 | 7)
        write_value(_TYPE_BoundingBox_7, out, value)
        last = 7
    if (value := made.mmax) is not None:
        put((8 - last) << 4 | 7)
        write_value(_TYPE_BoundingBox_8, out, value)
    put(0)


def _read_GeospatialStatistics(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.GeospatialStatistics)
    items: list[Any]
    made.bbox = made.geospatial_types = None
    key = buf[pos]
    while True:
        if key == 28:  # 1: bbox
            made.bbox, pos = _read_BoundingBox(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 16
        if key == 41:  # 2: geospatial_types
            if (size := SHORT_5[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 5)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.geospatial_types = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (byte := buf[pos]) < 128:
                    items.append(ZIGZAG[byte])
                    pos += 1
                elif (more := buf[pos + 1]) < 128:
                    items.append(ZIGZAG[byte + (more << 7)])
                    pos += 2
                else:
                    item, pos = tail_i32(buf, pos + 2, byte + (more << 7) - 16512)
                    items.append(item)
            key = buf[pos] + 32
        if not key & 15:
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.GeospatialStatistics, room)


def _write_GeospatialStatistics(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.GeospatialStatistics):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    if (value := made.bbox) is not None:
        put(28)
        _write_BoundingBox(out, value)
        last = 1
    if (value := made.geospatial_types) is not None:
        put((2 - last) << 4 | 9)
        out += HEADERS_5[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 5)
        for item in value:
            out += INTS[item] if type(item) is int and 0 <= item < 8192 else varint(item, 32)
    put(0)


def _read_DecimalType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.DecimalType)
    key = buf[pos]
    while True:
        if key == 21:  # 1: scale
            if (byte := buf[pos + 1]) < 128:
                made.scale = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.scale = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.scale, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 37:  # 2: precision
            if (byte := buf[pos + 1]) < 128:
                made.precision = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.precision = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.precision, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 32
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.scale, made.precision
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.DecimalType, room)


def _write_DecimalType(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.DecimalType):
        raise TypeError
    put = out.append
    value: Any
    value = made.scale
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.precision
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    put(0)


def _read_TimestampType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.TimestampType)
    key = buf[pos]
    while True:
        if key == 17 or key == 18:  # 1: isAdjustedToUTC
            made.isAdjustedToUTC = key == 17
            pos += 1
            key = buf[pos] + 16
        if key == 44:  # 2: unit
            made.unit, pos = _read_TimeUnit(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 32
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.isAdjustedToUTC, made.unit
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.TimestampType, room)


def _write_TimestampType(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.TimestampType):
        raise TypeError
    put = out.append
    value: Any
    value = made.isAdjustedToUTC
    put(16 | wire_bool(value))
    value = made.unit
    put(28)
    _write_TimeUnit(out, value)
    put(0)


def _read_TimeType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.TimeType)
    key = buf[pos]
    while True:
        if key == 17 or key == 18:  # 1: isAdjustedToUTC
            made.isAdjustedToUTC = key == 17
            pos += 1
            key = buf[pos] + 16
        if key == 44:  # 2: unit
            made.unit, pos = _read_TimeUnit(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 32
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.isAdjustedToUTC, made.unit
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.TimeType, room)


def _write_TimeType(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.TimeType):
        raise TypeError
    put = out.append
    value: Any
    value = made.isAdjustedToUTC
    put(16 | wire_bool(value))
    value = made.unit
    put(28)
    _write_TimeUnit(out, value)
    put(0)


def _read_IntType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.IntType)
    key = buf[pos]
    while True:
        if key == 19:  # 1: bitWidth
            made.bitWidth = (buf[pos + 1] ^ 128) - 128
            pos += 2
            key = buf[pos] + 16
        if key == 33 or key == 34:  # 2: isSigned
            made.isSigned = key == 33
            pos += 1
            key = buf[pos] + 32
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.bitWidth, made.isSigned
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.IntType, room)


def _write_IntType(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.IntType):
        raise TypeError
    put = out.append
    value: Any
    value = made.bitWidth
    put(19)
    write_value(_TYPE_IntType_1, out, value)
    value = made.isSigned
    put(16 | wire_bool(value))
    put(0)


def _read_VariantType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.VariantType)
    made.specification_version = None
    key = buf[pos]
    while True:
        if key == 19:  # 1: specification_version
            made.specification_version = (buf[pos + 1] ^ 128) - 128
            pos += 2
            key = buf[pos] + 16
        if not key & 15:
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.VariantType, room)


def _write_VariantType(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.VariantType):
        raise TypeError
    put = out.append
    value: Any
    if (value := made.specification_version) is not None:
        put(19)
        write_value(_TYPE_VariantType_1, out, value)
    put(0)


def _read_GeometryType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.GeometryType)
    made.crs = None
    key = buf[pos]
    while True:
        if key == 24:  # 1: crs
            if (size := buf[pos + 1]) < 128:
                made.crs = buf[(start := pos + 2) : (pos := start + size)].decode()
            else:
                made.crs, pos = long_string(buf, pos + 1)
            key = buf[pos] + 16
        if not key & 15:
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.GeometryType, room)


def _write_GeometryType(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.GeometryType):
        raise TypeError
    put = out.append
    value: Any
    if (value := made.crs) is not None:
        put(24)
        value = str.encode(value)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
    put(0)


def _read_GeographyType(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.GeographyType)
    made.crs = made.algorithm = None
    key = buf[pos]
    while True:
        if key == 24:  # 1: crs
            if (size := buf[pos + 1]) < 128:
                made.crs = buf[(start := pos + 2) : (pos := start + size)].decode()
            else:
                made.crs, pos = long_string(buf, pos + 1)
            key = buf[pos] + 16
        if key == 37:  # 2: algorithm
            made.algorithm = _EdgeInterpolationAlgorithm_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 32
        if not key & 15:
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.GeographyType, room)


def _write_GeographyType(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.GeographyType):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    if (value := made.crs) is not None:
        put(24)
        value = str.encode(value)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
        last = 1
    if (value := made.algorithm) is not None:
        put((2 - last) << 4 | 5)
        known = isinstance(value, _m.EdgeInterpolationAlgorithm) and 0 <= value < 8192
        out += INTS[value] if known else varint(value, 32)
    put(0)


def _read_DataPageHeader(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.DataPageHeader)
    made.statistics = None
    key = buf[pos]
    while True:
        if key == 21:  # 1: num_values
            if (byte := buf[pos + 1]) < 128:
                made.num_values = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.num_values = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.num_values, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 37:  # 2: encoding
            made.encoding = _Encoding_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 32
        if key == 53:  # 3: definition_level_encoding
            made.definition_level_encoding = _Encoding_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 48
        if key == 69:  # 4: repetition_level_encoding
            made.repetition_level_encoding = _Encoding_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 64
        if key == 92:  # 5: statistics
            made.statistics, pos = _read_Statistics(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 80
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.num_values, made.encoding, made.definition_level_encoding, made.repetition_level_encoding
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.DataPageHeader, room)


def _write_DataPageHeader(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.DataPageHeader):
        raise TypeError
    put = out.append
    value: Any
    value = made.num_values
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.encoding
    put(21)
    known = isinstance(value, _m.Encoding) and 0 <= value < 8192
    out += INTS[value] if known else varint(value, 32)
    value = made.definition_level_encoding
    put(21)
    known = isinstance(value, _m.Encoding) and 0 <= value < 8192
    out += INTS[value] if known else varint(value, 32)
    value = made.repetition_level_encoding
    put(21)
    known = isinstance(value, _m.Encoding) and 0 <= value < 8192
    out += INTS[value] if known else varint(value, 32)
    if (value := made.statistics) is not None:
        put(28)
        _write_Statistics(out, value)
    put(0)


def _read_DictionaryPageHeader(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.DictionaryPageHeader)
    made.is_sorted = None
    key = buf[pos]
    while True:
        if key == 21:  # 1: num_values
            if (byte := buf[pos + 1]) < 128:
                made.num_values = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.num_values = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.num_values, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 37:  # 2: encoding
            made.encoding = _Encoding_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 32
        if key == 49 or key == 50:  # 3: is_sorted
            made.is_sorted = key == 49
            pos += 1
            key = buf[pos] + 48
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.num_values, made.encoding
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.DictionaryPageHeader, room)


def _write_DictionaryPageHeader(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.DictionaryPageHeader):
        raise TypeError
    put = out.append
    value: Any
    value = made.num_values
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.encoding
    put(21)
    known = isinstance(value, _m.Encoding) and 0 <= value < 8192
    out += INTS[value] if known else varint(value, 32)
    if (value := made.is_sorted) is not None:
        put(16 | wire_bool(value))
    put(0)


def _read_DataPageHeaderV2(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.DataPageHeaderV2)
    made.is_compressed = made.statistics = None
    key = buf[pos]
    while True:
        if key == 21:  # 1: num_values
            if (byte := buf[pos + 1]) < 128:
                made.num_values = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.num_values = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.num_values, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 37:  # 2: num_nulls
            if (byte := buf[pos + 1]) < 128:
                made.num_nulls = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.num_nulls = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.num_nulls, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 32
        if key == 53:  # 3: num_rows
            if (byte := buf[pos + 1]) < 128:
                made.num_rows = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.num_rows = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.num_rows, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 48
        if key == 69:  # 4: encoding
            made.encoding = _Encoding_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 64
        if key == 85:  # 5: definition_levels_byte_length
            if (byte := buf[pos + 1]) < 128:
                made.definition_levels_byte_length = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.definition_levels_byte_length = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.definition_levels_byte_length, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 80
        if key == 101:  # 6: repetition_levels_byte_length
            if (byte := buf[pos + 1]) < 128:
                made.repetition_levels_byte_length = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.repetition_levels_byte_length = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.repetition_levels_byte_length, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 96
        if key == 113 or key == 114:  # 7: is_compressed
            made.is_compressed = key == 113
            pos += 1
            key = buf[pos] + 112
        if key == 140:  # 8: statistics
            made.statistics, pos = _read_Statistics(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 128
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            (
                made.num_values, made.num_nulls, made.num_rows, made.encoding, made.definition_levels_byte_length,
                made.repetition_levels_byte_length,
            )  # fmt: skip
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.DataPageHeaderV2, room)


def _write_DataPageHeaderV2(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.DataPageHeaderV2):
        raise TypeError
    put = out.append
    value: Any
    value = made.num_values
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.num_nulls
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.num_rows
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.encoding
    put(21)
    known = isinstance(value, _m.Encoding) and 0 <= value < 8192
    out += INTS[value] if known else varint(value, 32)
    value = made.definition_levels_byte_length
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.repetition_levels_byte_length
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    last = 6
    if (value := made.is_compressed) is not None:
        put(16 | wire_bool(value))
        last = 7
    if (value := made.statistics) is not None:
        put((8 - last) << 4 | 12)
        _write_Statistics(out, value)
    put(0)


def _read_PageHeader(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.PageHeader)
    made.crc = made.data_page_header = made.index_page_header = None
    made.dictionary_page_header = made.data_page_header_v2 = None
    key = buf[pos]
    while True:
        if key == 21:  # 1: type
            made.type = _PageType_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 16
        if key == 37:  # 2: uncompressed_page_size
            if (byte := buf[pos + 1]) < 128:
                made.uncompressed_page_size = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.uncompressed_page_size = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.uncompressed_page_size, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 32
        if key == 53:  # 3: compressed_page_size
            if (byte := buf[pos + 1]) < 128:
                made.compressed_page_size = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.compressed_page_size = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.compressed_page_size, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 48
        if key == 69:  # 4: crc
            if (byte := buf[pos + 1]) < 128:
                made.crc = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.crc = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.crc, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 64
        if key == 92:  # 5: data_page_header
            made.data_page_header, pos = _read_DataPageHeader(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 80
        if key == 108:  # 6: index_page_header
            made.index_page_header, pos = _read_IndexPageHeader(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 96
        if key == 124:  # 7: dictionary_page_header
            made.dictionary_page_header, pos = _read_DictionaryPageHeader(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 112
        if key == 140:  # 8: data_page_header_v2
            made.data_page_header_v2, pos = _read_DataPageHeaderV2(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 128
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.type, made.uncompressed_page_size, made.compressed_page_size
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.PageHeader, room)


def _write_PageHeader(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.PageHeader):
        raise TypeError
    put = out.append
    value: Any
    value = made.type
    put(21)
    known = isinstance(value, _m.PageType) and 0 <= value < 8192
    out += INTS[value] if known else varint(value, 32)
    value = made.uncompressed_page_size
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.compressed_page_size
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    last = 3
    if (value := made.crc) is not None:
        put(21)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 4
    if (value := made.data_page_header) is not None:
        put((5 - last) << 4 | 12)
        _write_DataPageHeader(out, value)
        last = 5
    if (value := made.index_page_header) is not None:
        put((6 - last) << 4 | 12)
        _write_IndexPageHeader(out, value)
        last = 6
    if (value := made.dictionary_page_header) is not None:
        put((7 - last) << 4 | 12)
        _write_DictionaryPageHeader(out, value)
        last = 7
    if (value := made.data_page_header_v2) is not None:
        put((8 - last) << 4 | 12)
        _write_DataPageHeaderV2(out, value)
    put(0)


def _read_PageLocation(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.PageLocation)
    key = buf[pos]
    while True:
        if key == 22:  # 1: offset
            if (byte := buf[pos + 1]) < 128:
                made.offset = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.offset = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.offset, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 37:  # 2: compressed_page_size
            if (byte := buf[pos + 1]) < 128:
                made.compressed_page_size = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.compressed_page_size = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.compressed_page_size, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 32
        if key == 54:  # 3: first_row_index
            if (byte := buf[pos + 1]) < 128:
                made.first_row_index = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.first_row_index = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.first_row_index, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 48
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.offset, made.compressed_page_size, made.first_row_index
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.PageLocation, room)


def _write_PageLocation(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.PageLocation):
        raise TypeError
    put = out.append
    value: Any
    value = made.offset
    put(22)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
    value = made.compressed_page_size
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.first_row_index
    put(22)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
    put(0)


def _read_OffsetIndex(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.OffsetIndex)
    items: list[Any]
    made.unencoded_byte_array_data_bytes = None
    key = buf[pos]
    while True:
        if key == 25:  # 1: page_locations
            if (size := SHORT_12[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 12)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.page_locations = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_PageLocation(buf, pos, reading, room - 2)
                items.append(item)
            key = buf[pos] + 16
        if key == 41:  # 2: unencoded_byte_array_data_bytes
            if (size := SHORT_6[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 6)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.unencoded_byte_array_data_bytes = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (byte := buf[pos]) < 128:
                    items.append(ZIGZAG[byte])
                    pos += 1
                elif (more := buf[pos + 1]) < 128:
                    items.append(ZIGZAG[byte + (more << 7)])
                    pos += 2
                else:
                    item, pos = tail_i64(buf, pos + 2, byte + (more << 7) - 16512)
                    items.append(item)
            key = buf[pos] + 32
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.page_locations
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.OffsetIndex, room)


def _write_OffsetIndex(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.OffsetIndex):
        raise TypeError
    put = out.append
    value: Any
    value = made.page_locations
    put(25)
    out += HEADERS_12[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 12)
    for item in value:
        _write_PageLocation(out, item)
    if (value := made.unencoded_byte_array_data_bytes) is not None:
        put(25)
        out += HEADERS_6[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 6)
        for item in value:
            out += INTS[item] if type(item) is int and 0 <= item < 8192 else varint(item, 64)
    put(0)


def _read_ColumnIndex(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.ColumnIndex)
    items: list[Any]
    made.null_counts = made.repetition_level_histograms = None
    made.definition_level_histograms = made.nan_counts = None
    key = buf[pos]
    while True:
        if key == 25:  # 1: null_pages
            made.null_pages, pos = read_value(_TYPE_ColumnIndex_1, buf, pos + 1, reading, room)
            key = buf[pos] + 16
        if key == 41:  # 2: min_values
            if (size := SHORT_8[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 8)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.min_values = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (size := buf[pos]) < 128:
                    items.append(buf[(start := pos + 1) : (pos := start + size)])
                else:
                    item, pos = long_binary(buf, pos)
                    items.append(item)
            key = buf[pos] + 32
        if key == 57:  # 3: max_values
            if (size := SHORT_8[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 8)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.max_values = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (size := buf[pos]) < 128:
                    items.append(buf[(start := pos + 1) : (pos := start + size)])
                else:
                    item, pos = long_binary(buf, pos)
                    items.append(item)
            key = buf[pos] + 48
        if key == 69:  # 4: boundary_order
            made.boundary_order = _BoundaryOrder_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 64
        if key == 89:  # 5: null_counts
            if (size := SHORT_6[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 6)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.null_counts = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (byte := buf[pos]) < 128:
                    items.append(ZIGZAG[byte])
                    pos += 1
                elif (more := buf[pos + 1]) < 128:
                    items.append(ZIGZAG[byte + (more << 7)])
                    pos += 2
                else:
                    item, pos = tail_i64(buf, pos + 2, byte + (more << 7) - 16512)
                    items.append(item)
            key = buf[pos] + 80
        if key == 105:  # 6: repetition_level_histograms
            if (size := SHORT_6[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 6)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.repetition_level_histograms = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (byte := buf[pos]) < 128:
                    items.append(ZIGZAG[byte])
                    pos += 1
                elif (more := buf[pos + 1]) < 128:
                    items.append(ZIGZAG[byte + (more << 7)])
                    pos += 2
                else:
                    item, pos = tail_i64(buf, pos + 2, byte + (more << 7) - 16512)
                    items.append(item)
            key = buf[pos] + 96
        if key == 121:  # 7: definition_level_histograms
            if (size := SHORT_6[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 6)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.definition_level_histograms = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (byte := buf[pos]) < 128:
                    items.append(ZIGZAG[byte])
                    pos += 1
                elif (more := buf[pos + 1]) < 128:
                    items.append(ZIGZAG[byte + (more << 7)])
                    pos += 2
                else:
                    item, pos = tail_i64(buf, pos + 2, byte + (more << 7) - 16512)
                    items.append(item)
            key = buf[pos] + 112
        if key == 137:  # 8: nan_counts
            if (size := SHORT_6[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 6)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.nan_counts = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (byte := buf[pos]) < 128:
                    items.append(ZIGZAG[byte])
                    pos += 1
                elif (more := buf[pos + 1]) < 128:
                    items.append(ZIGZAG[byte + (more << 7)])
                    pos += 2
                else:
                    item, pos = tail_i64(buf, pos + 2, byte + (more << 7) - 16512)
                    items.append(item)
            key = buf[pos] + 128
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.null_pages, made.min_values, made.max_values, made.boundary_order
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.ColumnIndex, room)


def _write_ColumnIndex(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.ColumnIndex):
        raise TypeError
    put = out.append
    value: Any
    value = made.null_pages
    put(25)
    write_value(_TYPE_ColumnIndex_1, out, value)
    value = made.min_values
    put(25)
    out += HEADERS_8[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 8)
    for item in value:
        if type(item) is bytes and len(item) < 128:
            put(len(item))
            out += item
        else:
            out += sized(item)
    value = made.max_values
    put(25)
    out += HEADERS_8[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 8)
    for item in value:
        if type(item) is bytes and len(item) < 128:
            put(len(item))
            out += item
        else:
            out += sized(item)
    value = made.boundary_order
    put(21)
    known = isinstance(value, _m.BoundaryOrder) and 0 <= value < 8192
    out += INTS[value] if known else varint(value, 32)
    last = 4
    if (value := made.null_counts) is not None:
        put(25)
        out += HEADERS_6[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 6)
        for item in value:
            out += INTS[item] if type(item) is int and 0 <= item < 8192 else varint(item, 64)
        last = 5
    if (value := made.repetition_level_histograms) is not None:
        put((6 - last) << 4 | 9)
        out += HEADERS_6[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 6)
        for item in value:
            out += INTS[item] if type(item) is int and 0 <= item < 8192 else varint(item, 64)
        last = 6
    if (value := made.definition_level_histograms) is not None:
        put((7 - last) << 4 | 9)
        out += HEADERS_6[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 6)
        for item in value:
            out += INTS[item] if type(item) is int and 0 <= item < 8192 else varint(item, 64)
        last = 7
    if (value := made.nan_counts) is not None:
        put((8 - last) << 4 | 9)
        out += HEADERS_6[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 6)
        for item in value:
            out += INTS[item] if type(item) is int and 0 <= item < 8192 else varint(item, 64)
    put(0)


def _read_BloomFilterHeader(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.BloomFilterHeader)
    key = buf[pos]
    while True:
        if key == 21:  # 1: numBytes
            if (byte := buf[pos + 1]) < 128:
                made.numBytes = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.numBytes = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.numBytes, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 44:  # 2: algorithm
            made.algorithm, pos = _read_BloomFilterAlgorithm(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 32
        if key == 60:  # 3: hash
            made.hash, pos = _read_BloomFilterHash(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 48
        if key == 76:  # 4: compression
            made.compression, pos = _read_BloomFilterCompression(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 64
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.numBytes, made.algorithm, made.hash, made.compression
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.BloomFilterHeader, room)


def _write_BloomFilterHeader(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.BloomFilterHeader):
        raise TypeError
    put = out.append
    value: Any
    value = made.numBytes
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
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


def _read_AesGcmV1(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.AesGcmV1)
    made.aad_prefix = made.aad_file_unique = made.supply_aad_prefix = None
    key = buf[pos]
    while True:
        if key == 24:  # 1: aad_prefix
            if (size := buf[pos + 1]) < 128:
                made.aad_prefix = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.aad_prefix, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 16
        if key == 40:  # 2: aad_file_unique
            if (size := buf[pos + 1]) < 128:
                made.aad_file_unique = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.aad_file_unique, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 32
        if key == 49 or key == 50:  # 3: supply_aad_prefix
            made.supply_aad_prefix = key == 49
            pos += 1
            key = buf[pos] + 48
        if not key & 15:
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.AesGcmV1, room)


def _write_AesGcmV1(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.AesGcmV1):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    if (value := made.aad_prefix) is not None:
        put(24)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
        last = 1
    if (value := made.aad_file_unique) is not None:
        put((2 - last) << 4 | 8)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
        last = 2
    if (value := made.supply_aad_prefix) is not None:
        write_field_header(out, last, 3, wire_bool(value))
    put(0)


def _read_AesGcmCtrV1(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.AesGcmCtrV1)
    made.aad_prefix = made.aad_file_unique = made.supply_aad_prefix = None
    key = buf[pos]
    while True:
        if key == 24:  # 1: aad_prefix
            if (size := buf[pos + 1]) < 128:
                made.aad_prefix = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.aad_prefix, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 16
        if key == 40:  # 2: aad_file_unique
            if (size := buf[pos + 1]) < 128:
                made.aad_file_unique = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.aad_file_unique, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 32
        if key == 49 or key == 50:  # 3: supply_aad_prefix
            made.supply_aad_prefix = key == 49
            pos += 1
            key = buf[pos] + 48
        if not key & 15:
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.AesGcmCtrV1, room)


def _write_AesGcmCtrV1(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.AesGcmCtrV1):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    if (value := made.aad_prefix) is not None:
        put(24)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
        last = 1
    if (value := made.aad_file_unique) is not None:
        put((2 - last) << 4 | 8)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
        last = 2
    if (value := made.supply_aad_prefix) is not None:
        write_field_header(out, last, 3, wire_bool(value))
    put(0)


def _read_EncryptionWithColumnKey(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.EncryptionWithColumnKey)
    items: list[Any]
    made.key_metadata = None
    key = buf[pos]
    while True:
        if key == 25:  # 1: path_in_schema
            if (size := SHORT_8[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 8)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.path_in_schema = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (size := buf[pos]) < 128:
                    items.append(buf[(start := pos + 1) : (pos := start + size)].decode())
                else:
                    item, pos = long_string(buf, pos)
                    items.append(item)
            key = buf[pos] + 16
        if key == 40:  # 2: key_metadata
            if (size := buf[pos + 1]) < 128:
                made.key_metadata = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.key_metadata, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 32
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.path_in_schema
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.EncryptionWithColumnKey, room)


def _write_EncryptionWithColumnKey(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.EncryptionWithColumnKey):
        raise TypeError
    put = out.append
    value: Any
    value = made.path_in_schema
    put(25)
    out += HEADERS_8[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 8)
    for item in value:
        item = str.encode(item)
        if type(item) is bytes and len(item) < 128:
            put(len(item))
            out += item
        else:
            out += sized(item)
    if (value := made.key_metadata) is not None:
        put(24)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
    put(0)


def _read_FileCryptoMetaData(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.FileCryptoMetaData)
    made.key_metadata = None
    key = buf[pos]
    while True:
        if key == 28:  # 1: encryption_algorithm
            made.encryption_algorithm, pos = _read_EncryptionAlgorithm(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 16
        if key == 40:  # 2: key_metadata
            if (size := buf[pos + 1]) < 128:
                made.key_metadata = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.key_metadata, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 32
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.encryption_algorithm
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.FileCryptoMetaData, room)


def _write_FileCryptoMetaData(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.FileCryptoMetaData):
        raise TypeError
    put = out.append
    value: Any
    value = made.encryption_algorithm
    put(28)
    _write_EncryptionAlgorithm(out, value)
    if (value := made.key_metadata) is not None:
        put(24)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
    put(0)


def _read_SchemaElement(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.SchemaElement)
    made.type = made.type_length = made.repetition_type = made.num_children = None
    made.converted_type = made.scale = made.precision = made.field_id = made.logicalType = None
    key = buf[pos]
    while True:
        if key == 21:  # 1: type
            made.type = _Type_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 16
        if key == 37:  # 2: type_length
            if (byte := buf[pos + 1]) < 128:
                made.type_length = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.type_length = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.type_length, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 32
        if key == 53:  # 3: repetition_type
            made.repetition_type = _FieldRepetitionType_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 48
        if key == 72:  # 4: name
            if (size := buf[pos + 1]) < 128:
                made.name = buf[(start := pos + 2) : (pos := start + size)].decode()
            else:
                made.name, pos = long_string(buf, pos + 1)
            key = buf[pos] + 64
        if key == 85:  # 5: num_children
            if (byte := buf[pos + 1]) < 128:
                made.num_children = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.num_children = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.num_children, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 80
        if key == 101:  # 6: converted_type
            made.converted_type = _ConvertedType_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 96
        if key == 117:  # 7: scale
            if (byte := buf[pos + 1]) < 128:
                made.scale = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.scale = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.scale, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 112
        if key == 133:  # 8: precision
            if (byte := buf[pos + 1]) < 128:
                made.precision = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.precision = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.precision, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 128
        if key == 149:  # 9: field_id
            if (byte := buf[pos + 1]) < 128:
                made.field_id = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.field_id = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.field_id, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 144
        if key == 172:  # 10: logicalType
            made.logicalType, pos = _read_LogicalType(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 160
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.name
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.SchemaElement, room)


def _write_SchemaElement(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.SchemaElement):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    if (value := made.type) is not None:
        put(21)
        known = isinstance(value, _m.Type) and 0 <= value < 8192
        out += INTS[value] if known else varint(value, 32)
        last = 1
    if (value := made.type_length) is not None:
        put((2 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 2
    if (value := made.repetition_type) is not None:
        put((3 - last) << 4 | 5)
        known = isinstance(value, _m.FieldRepetitionType) and 0 <= value < 8192
        out += INTS[value] if known else varint(value, 32)
        last = 3
    value = made.name
    put((4 - last) << 4 | 8)
    value = str.encode(value)
    if type(value) is bytes and len(value) < 128:
        put(len(value))
        out += value
    else:
        out += sized(value)
    last = 4
    if (value := made.num_children) is not None:
        put(21)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 5
    if (value := made.converted_type) is not None:
        put((6 - last) << 4 | 5)
        known = isinstance(value, _m.ConvertedType) and 0 <= value < 8192
        out += INTS[value] if known else varint(value, 32)
        last = 6
    if (value := made.scale) is not None:
        put((7 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 7
    if (value := made.precision) is not None:
        put((8 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 8
    if (value := made.field_id) is not None:
        put((9 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 9
    if (value := made.logicalType) is not None:
        put((10 - last) << 4 | 12)
        _write_LogicalType(out, value)
    put(0)


def _read_PageEncodingStats(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.PageEncodingStats)
    key = buf[pos]
    while True:
        if key == 21:  # 1: page_type
            made.page_type = _PageType_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 16
        if key == 37:  # 2: encoding
            made.encoding = _Encoding_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 32
        if key == 53:  # 3: count
            if (byte := buf[pos + 1]) < 128:
                made.count = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.count = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.count, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 48
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.page_type, made.encoding, made.count
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.PageEncodingStats, room)


def _write_PageEncodingStats(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.PageEncodingStats):
        raise TypeError
    put = out.append
    value: Any
    value = made.page_type
    put(21)
    known = isinstance(value, _m.PageType) and 0 <= value < 8192
    out += INTS[value] if known else varint(value, 32)
    value = made.encoding
    put(21)
    known = isinstance(value, _m.Encoding) and 0 <= value < 8192
    out += INTS[value] if known else varint(value, 32)
    value = made.count
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    put(0)


def _read_KeyValue(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.KeyValue)
    made.value = None
    key = buf[pos]
    while True:
        if key == 24:  # 1: key
            if (size := buf[pos + 1]) < 128:
                made.key = buf[(start := pos + 2) : (pos := start + size)].decode()
            else:
                made.key, pos = long_string(buf, pos + 1)
            key = buf[pos] + 16
        if key == 40:  # 2: value
            if (size := buf[pos + 1]) < 128:
                made.value = buf[(start := pos + 2) : (pos := start + size)].decode()
            else:
                made.value, pos = long_string(buf, pos + 1)
            key = buf[pos] + 32
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.key
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.KeyValue, room)


def _write_KeyValue(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.KeyValue):
        raise TypeError
    put = out.append
    value: Any
    value = made.key
    put(24)
    value = str.encode(value)
    if type(value) is bytes and len(value) < 128:
        put(len(value))
        out += value
    else:
        out += sized(value)
    if (value := made.value) is not None:
        put(24)
        value = str.encode(value)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
    put(0)


def _read_SortingColumn(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.SortingColumn)
    key = buf[pos]
    while True:
        if key == 21:  # 1: column_idx
            if (byte := buf[pos + 1]) < 128:
                made.column_idx = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.column_idx = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.column_idx, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 33 or key == 34:  # 2: descending
            made.descending = key == 33
            pos += 1
            key = buf[pos] + 32
        if key == 49 or key == 50:  # 3: nulls_first
            made.nulls_first = key == 49
            pos += 1
            key = buf[pos] + 48
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.column_idx, made.descending, made.nulls_first
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.SortingColumn, room)


def _write_SortingColumn(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.SortingColumn):
        raise TypeError
    put = out.append
    value: Any
    value = made.column_idx
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.descending
    put(16 | wire_bool(value))
    value = made.nulls_first
    put(16 | wire_bool(value))
    put(0)


def _read_ColumnMetaData(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.ColumnMetaData)
    items: list[Any]
    made.path_in_schema = made.key_value_metadata = made.index_page_offset = None
    made.dictionary_page_offset = made.statistics = made.encoding_stats = None
    made.bloom_filter_offset = made.bloom_filter_length = made.size_statistics = None
    made.geospatial_statistics = None
    key = buf[pos]
    while True:
        if key == 21:  # 1: type
            made.type = _Type_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 16
        if key == 41:  # 2: encodings
            if (size := SHORT_5[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 5)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.encodings = items = []
            for byte in buf[pos : pos + size]:
                items.append(_Encoding_of_byte[byte])
            pos += size
            key = buf[pos] + 32
        if key == 57:  # 3: path_in_schema
            if (size := SHORT_8[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 8)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.path_in_schema = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (size := buf[pos]) < 128:
                    items.append(buf[(start := pos + 1) : (pos := start + size)].decode())
                else:
                    item, pos = long_string(buf, pos)
                    items.append(item)
            key = buf[pos] + 48
        if key == 69:  # 4: codec
            made.codec = _CompressionCodec_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 64
        if key == 86:  # 5: num_values
            if (byte := buf[pos + 1]) < 128:
                made.num_values = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.num_values = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.num_values, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 80
        if key == 102:  # 6: total_uncompressed_size
            if (byte := buf[pos + 1]) < 128:
                made.total_uncompressed_size = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.total_uncompressed_size = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.total_uncompressed_size, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 96
        if key == 118:  # 7: total_compressed_size
            if (byte := buf[pos + 1]) < 128:
                made.total_compressed_size = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.total_compressed_size = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.total_compressed_size, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 112
        if key == 137:  # 8: key_value_metadata
            if (size := SHORT_12[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 12)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.key_value_metadata = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_KeyValue(buf, pos, reading, room - 2)
                items.append(item)
            key = buf[pos] + 128
        if key == 150:  # 9: data_page_offset
            if (byte := buf[pos + 1]) < 128:
                made.data_page_offset = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.data_page_offset = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.data_page_offset, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 144
        if key == 166:  # 10: index_page_offset
            if (byte := buf[pos + 1]) < 128:
                made.index_page_offset = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.index_page_offset = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.index_page_offset, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 160
        if key == 182:  # 11: dictionary_page_offset
            if (byte := buf[pos + 1]) < 128:
                made.dictionary_page_offset = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.dictionary_page_offset = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.dictionary_page_offset, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 176
        if key == 204:  # 12: statistics
            made.statistics, pos = _read_Statistics(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 192
        if key == 217:  # 13: encoding_stats
            if (size := SHORT_12[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 12)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.encoding_stats = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_PageEncodingStats(buf, pos, reading, room - 2)
                items.append(item)
            key = buf[pos] + 208
        if key == 230:  # 14: bloom_filter_offset
            if (byte := buf[pos + 1]) < 128:
                made.bloom_filter_offset = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.bloom_filter_offset = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.bloom_filter_offset, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 224
        if key == 245:  # 15: bloom_filter_length
            if (byte := buf[pos + 1]) < 128:
                made.bloom_filter_length = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.bloom_filter_length = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.bloom_filter_length, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 240
        if key == 268:  # 16: size_statistics
            made.size_statistics, pos = _read_SizeStatistics(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 256
        if key == 284:  # 17: geospatial_statistics
            made.geospatial_statistics, pos = _read_GeospatialStatistics(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 272
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            (
                made.type, made.encodings, made.codec, made.num_values, made.total_uncompressed_size,
                made.total_compressed_size, made.data_page_offset,
            )  # fmt: skip
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.ColumnMetaData, room)


def _write_ColumnMetaData(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.ColumnMetaData):
        raise TypeError
    put = out.append
    value: Any
    value = made.type
    put(21)
    known = isinstance(value, _m.Type) and 0 <= value < 8192
    out += INTS[value] if known else varint(value, 32)
    value = made.encodings
    put(25)
    out += HEADERS_5[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 5)
    for item in value:
        known = isinstance(item, _m.Encoding) and 0 <= item < 8192
        out += INTS[item] if known else varint(item, 32)
    last = 2
    if (value := made.path_in_schema) is not None:
        put(25)
        out += HEADERS_8[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 8)
        for item in value:
            item = str.encode(item)
            if type(item) is bytes and len(item) < 128:
                put(len(item))
                out += item
            else:
                out += sized(item)
        last = 3
    value = made.codec
    put((4 - last) << 4 | 5)
    known = isinstance(value, _m.CompressionCodec) and 0 <= value < 8192
    out += INTS[value] if known else varint(value, 32)
    value = made.num_values
    put(22)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
    value = made.total_uncompressed_size
    put(22)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
    value = made.total_compressed_size
    put(22)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
    last = 7
    if (value := made.key_value_metadata) is not None:
        put(25)
        out += HEADERS_12[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 12)
        for item in value:
            _write_KeyValue(out, item)
        last = 8
    value = made.data_page_offset
    put((9 - last) << 4 | 6)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
    last = 9
    if (value := made.index_page_offset) is not None:
        put(22)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
        last = 10
    if (value := made.dictionary_page_offset) is not None:
        put((11 - last) << 4 | 6)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
        last = 11
    if (value := made.statistics) is not None:
        put((12 - last) << 4 | 12)
        _write_Statistics(out, value)
        last = 12
    if (value := made.encoding_stats) is not None:
        put((13 - last) << 4 | 9)
        out += HEADERS_12[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 12)
        for item in value:
            _write_PageEncodingStats(out, item)
        last = 13
    if (value := made.bloom_filter_offset) is not None:
        put((14 - last) << 4 | 6)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
        last = 14
    if (value := made.bloom_filter_length) is not None:
        put((15 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 15
    if (value := made.size_statistics) is not None:
        put((16 - last) << 4 | 12)
        _write_SizeStatistics(out, value)
        last = 16
    if (value := made.geospatial_statistics) is not None:
        put((17 - last) << 4 | 12)
        _write_GeospatialStatistics(out, value)
    put(0)


def _read_ColumnChunk(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.ColumnChunk)
    made.file_path = made.meta_data = made.offset_index_offset = made.offset_index_length = None
    made.column_index_offset = made.column_index_length = made.crypto_metadata = None
    made.encrypted_column_metadata = None
    key = buf[pos]
    while True:
        if key == 24:  # 1: file_path
            if (size := buf[pos + 1]) < 128:
                made.file_path = buf[(start := pos + 2) : (pos := start + size)].decode()
            else:
                made.file_path, pos = long_string(buf, pos + 1)
            key = buf[pos] + 16
        if key == 38:  # 2: file_offset
            if (byte := buf[pos + 1]) < 128:
                made.file_offset = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.file_offset = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.file_offset, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 32
        if key == 60:  # 3: meta_data
            made.meta_data, pos = _read_ColumnMetaData(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 48
        if key == 70:  # 4: offset_index_offset
            if (byte := buf[pos + 1]) < 128:
                made.offset_index_offset = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.offset_index_offset = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.offset_index_offset, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 64
        if key == 85:  # 5: offset_index_length
            if (byte := buf[pos + 1]) < 128:
                made.offset_index_length = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.offset_index_length = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.offset_index_length, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 80
        if key == 102:  # 6: column_index_offset
            if (byte := buf[pos + 1]) < 128:
                made.column_index_offset = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.column_index_offset = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.column_index_offset, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 96
        if key == 117:  # 7: column_index_length
            if (byte := buf[pos + 1]) < 128:
                made.column_index_length = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.column_index_length = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.column_index_length, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 112
        if key == 140:  # 8: crypto_metadata
            made.crypto_metadata, pos = _read_ColumnCryptoMetaData(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 128
        if key == 152:  # 9: encrypted_column_metadata
            if (size := buf[pos + 1]) < 128:
                made.encrypted_column_metadata = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.encrypted_column_metadata, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 144
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.file_offset
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.ColumnChunk, room)


def _write_ColumnChunk(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.ColumnChunk):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    if (value := made.file_path) is not None:
        put(24)
        value = str.encode(value)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
        last = 1
    value = made.file_offset
    put((2 - last) << 4 | 6)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
    last = 2
    if (value := made.meta_data) is not None:
        put(28)
        _write_ColumnMetaData(out, value)
        last = 3
    if (value := made.offset_index_offset) is not None:
        put((4 - last) << 4 | 6)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
        last = 4
    if (value := made.offset_index_length) is not None:
        put((5 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 5
    if (value := made.column_index_offset) is not None:
        put((6 - last) << 4 | 6)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
        last = 6
    if (value := made.column_index_length) is not None:
        put((7 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 7
    if (value := made.crypto_metadata) is not None:
        put((8 - last) << 4 | 12)
        _write_ColumnCryptoMetaData(out, value)
        last = 8
    if (value := made.encrypted_column_metadata) is not None:
        put((9 - last) << 4 | 8)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
    put(0)


def _read_RowGroup(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.RowGroup)
    items: list[Any]
    made.sorting_columns = made.file_offset = made.total_compressed_size = made.ordinal = None
    key = buf[pos]
    while True:
        if key == 25:  # 1: columns
            if (size := SHORT_12[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 12)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.columns = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_ColumnChunk(buf, pos, reading, room - 2)
                items.append(item)
            key = buf[pos] + 16
        if key == 38:  # 2: total_byte_size
            if (byte := buf[pos + 1]) < 128:
                made.total_byte_size = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.total_byte_size = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.total_byte_size, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 32
        if key == 54:  # 3: num_rows
            if (byte := buf[pos + 1]) < 128:
                made.num_rows = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.num_rows = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.num_rows, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 48
        if key == 73:  # 4: sorting_columns
            if (size := SHORT_12[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 12)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.sorting_columns = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_SortingColumn(buf, pos, reading, room - 2)
                items.append(item)
            key = buf[pos] + 64
        if key == 86:  # 5: file_offset
            if (byte := buf[pos + 1]) < 128:
                made.file_offset = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.file_offset = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.file_offset, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 80
        if key == 102:  # 6: total_compressed_size
            if (byte := buf[pos + 1]) < 128:
                made.total_compressed_size = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.total_compressed_size = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.total_compressed_size, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 96
        if key == 116:  # 7: ordinal
            if (byte := buf[pos + 1]) < 128:
                made.ordinal = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.ordinal = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.ordinal, pos = tail_i16(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 112
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.columns, made.total_byte_size, made.num_rows
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.RowGroup, room)


def _write_RowGroup(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.RowGroup):
        raise TypeError
    put = out.append
    value: Any
    value = made.columns
    put(25)
    out += HEADERS_12[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 12)
    for item in value:
        _write_ColumnChunk(out, item)
    value = made.total_byte_size
    put(22)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
    value = made.num_rows
    put(22)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
    last = 3
    if (value := made.sorting_columns) is not None:
        put(25)
        out += HEADERS_12[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 12)
        for item in value:
            _write_SortingColumn(out, item)
        last = 4
    if (value := made.file_offset) is not None:
        put((5 - last) << 4 | 6)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
        last = 5
    if (value := made.total_compressed_size) is not None:
        put((6 - last) << 4 | 6)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
        last = 6
    if (value := made.ordinal) is not None:
        put((7 - last) << 4 | 4)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 16)
    put(0)


def _read_FileMetaData(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.FileMetaData)
    items: list[Any]
    made.key_value_metadata = made.created_by = made.column_orders = None
    made.encryption_algorithm = made.footer_signing_key_metadata = None
    key = buf[pos]
    while True:
        if key == 21:  # 1: version
            if (byte := buf[pos + 1]) < 128:
                made.version = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.version = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.version, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 41:  # 2: schema
            if (size := SHORT_12[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 12)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.schema = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_SchemaElement(buf, pos, reading, room - 2)
                items.append(item)
            key = buf[pos] + 32
        if key == 54:  # 3: num_rows
            if (byte := buf[pos + 1]) < 128:
                made.num_rows = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.num_rows = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.num_rows, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 48
        if key == 73:  # 4: row_groups
            if (size := SHORT_12[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 12)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.row_groups = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_RowGroup(buf, pos, reading, room - 2)
                items.append(item)
            key = buf[pos] + 64
        if key == 89:  # 5: key_value_metadata
            if (size := SHORT_12[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 12)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.key_value_metadata = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_KeyValue(buf, pos, reading, room - 2)
                items.append(item)
            key = buf[pos] + 80
        if key == 104:  # 6: created_by
            if (size := buf[pos + 1]) < 128:
                made.created_by = buf[(start := pos + 2) : (pos := start + size)].decode()
            else:
                made.created_by, pos = long_string(buf, pos + 1)
            key = buf[pos] + 96
        if key == 121:  # 7: column_orders
            if (size := SHORT_12[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 12)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.column_orders = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_ColumnOrder(buf, pos, reading, room - 2)
                items.append(item)
            key = buf[pos] + 112
        if key == 140:  # 8: encryption_algorithm
            made.encryption_algorithm, pos = _read_EncryptionAlgorithm(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 128
        if key == 152:  # 9: footer_signing_key_metadata
            if (size := buf[pos + 1]) < 128:
                made.footer_signing_key_metadata = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.footer_signing_key_metadata, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 144
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.version, made.schema, made.num_rows, made.row_groups
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.FileMetaData, room)


def _write_FileMetaData(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.FileMetaData):
        raise TypeError
    put = out.append
    value: Any
    value = made.version
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.schema
    put(25)
    out += HEADERS_12[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 12)
    for item in value:
        _write_SchemaElement(out, item)
    value = made.num_rows
    put(22)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
    value = made.row_groups
    put(25)
    out += HEADERS_12[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 12)
    for item in value:
        _write_RowGroup(out, item)
    last = 4
    if (value := made.key_value_metadata) is not None:
        put(25)
        out += HEADERS_12[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 12)
        for item in value:
            _write_KeyValue(out, item)
        last = 5
    if (value := made.created_by) is not None:
        put((6 - last) << 4 | 8)
        value = str.encode(value)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
        last = 6
    if (value := made.column_orders) is not None:
        put((7 - last) << 4 | 9)
        out += HEADERS_12[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 12)
        for item in value:
            _write_ColumnOrder(out, item)
        last = 7
    if (value := made.encryption_algorithm) is not None:
        put((8 - last) << 4 | 12)
        _write_EncryptionAlgorithm(out, value)
        last = 8
    if (value := made.footer_signing_key_metadata) is not None:
        put((9 - last) << 4 | 8)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
    put(0)


_read_TimeUnit: Any = union_reader(_m.TimeUnit, dict)
_write_TimeUnit = interpreting_writer(_m.TimeUnit)
_read_LogicalType: Any = union_reader(
    _m.LogicalType,
    lambda: {
        5: _read_DecimalType, 7: _read_TimeType, 8: _read_TimestampType, 10: _read_IntType, 16: _read_VariantType,
        17: _read_GeometryType, 18: _read_GeographyType,
    },
)  # fmt: skip
_write_LogicalType = interpreting_writer(_m.LogicalType)
_read_BloomFilterAlgorithm: Any = union_reader(_m.BloomFilterAlgorithm, dict)
_write_BloomFilterAlgorithm = interpreting_writer(_m.BloomFilterAlgorithm)
_read_BloomFilterHash: Any = union_reader(_m.BloomFilterHash, dict)
_write_BloomFilterHash = interpreting_writer(_m.BloomFilterHash)
_read_BloomFilterCompression: Any = union_reader(_m.BloomFilterCompression, dict)
_write_BloomFilterCompression = interpreting_writer(_m.BloomFilterCompression)
_read_EncryptionAlgorithm: Any = union_reader(_m.EncryptionAlgorithm, lambda: {1: _read_AesGcmV1, 2: _read_AesGcmCtrV1})
_write_EncryptionAlgorithm = interpreting_writer(_m.EncryptionAlgorithm)
_read_ColumnCryptoMetaData: Any = union_reader(_m.ColumnCryptoMetaData, lambda: {2: _read_EncryptionWithColumnKey})
_write_ColumnCryptoMetaData = interpreting_writer(_m.ColumnCryptoMetaData)
_read_ColumnOrder: Any = union_reader(_m.ColumnOrder, dict)
_write_ColumnOrder = interpreting_writer(_m.ColumnOrder)
_read_StringType, _write_StringType = interpreting(_m.StringType)
_read_UUIDType, _write_UUIDType = interpreting(_m.UUIDType)
_read_MapType, _write_MapType = interpreting(_m.MapType)
_read_ListType, _write_ListType = interpreting(_m.ListType)
_read_EnumType, _write_EnumType = interpreting(_m.EnumType)
_read_DateType, _write_DateType = interpreting(_m.DateType)
_read_Float16Type, _write_Float16Type = interpreting(_m.Float16Type)
_read_NullType, _write_NullType = interpreting(_m.NullType)
_read_MilliSeconds, _write_MilliSeconds = interpreting(_m.MilliSeconds)
_read_MicroSeconds, _write_MicroSeconds = interpreting(_m.MicroSeconds)
_read_NanoSeconds, _write_NanoSeconds = interpreting(_m.NanoSeconds)
_read_JsonType, _write_JsonType = interpreting(_m.JsonType)
_read_BsonType, _write_BsonType = interpreting(_m.BsonType)
_read_FileType, _write_FileType = interpreting(_m.FileType)
_read_IndexPageHeader, _write_IndexPageHeader = interpreting(_m.IndexPageHeader)
_read_SplitBlockAlgorithm, _write_SplitBlockAlgorithm = interpreting(_m.SplitBlockAlgorithm)
_read_XxHash, _write_XxHash = interpreting(_m.XxHash)
_read_Uncompressed, _write_Uncompressed = interpreting(_m.Uncompressed)
_read_EncryptionWithFooterKey, _write_EncryptionWithFooterKey = interpreting(_m.EncryptionWithFooterKey)
_read_TypeDefinedOrder, _write_TypeDefinedOrder = interpreting(_m.TypeDefinedOrder)
_read_IEEE754TotalOrder, _write_IEEE754TotalOrder = interpreting(_m.IEEE754TotalOrder)
_read_Int96TimestampOrder, _write_Int96TimestampOrder = interpreting(_m.Int96TimestampOrder)
READERS, WRITERS = functions(_m.__spec__, globals())
