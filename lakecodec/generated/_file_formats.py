# Generated from the IDL files of the formats by `lakecodec generate`; do not edit.
"""Formats of files: name, title, IDL file, and magic bytes as (offset, alternatives), those with more of them first."""

# fmt: off
FORMATS: tuple[tuple[str, str, str, tuple[tuple[int, tuple[bytes, ...]], ...]], ...] = (
    ('sqlite', 'SQLite databases: pages of b-trees with cells anywhere in them, rows, and what overflows', '../idl/gallery/sqlite.idl', ((0, (b'SQLite format 3\x00',)),)),
    ('arrow_ipc', 'Arrow IPC files: a footer in flatbuffers that locates the record batches', '../idl/gallery/arrow_ipc.idl', ((0, (b'ARROW1',)), (-6, (b'ARROW1',)))),
    ('parquet_file', 'The envelope of a Parquet file: magic numbers, the tail that locates the metadata, and a flat view of the chunks', '../idl/parquet_file.idl', ((0, (b'PAR1',)), (-4, (b'PAR1', b'PARE')))),
    ('png', 'PNG images: a signature, and chunks up to the one that ends the image', '../idl/gallery/png.idl', ((0, (b'\x89PNG\r\n\x1a\n',)),)),
    ('puffin', "Puffin files: blobs of statistics and deletion vectors beside Iceberg's tables, found by a footer in JSON", '../idl/gallery/puffin.idl', ((0, (b'PFA1',)), (-4, (b'PFA1',)))),
    ('tar', 'tar archives: a header of one block a member, its data, and empty blocks at the end', '../idl/gallery/tar.idl', ((257, (b'ustar\x00',)), (263, (b'00',)))),
    ('wave', 'WAVE sound files in a RIFF container', '../idl/gallery/wave.idl', ((0, (b'RIFF',)), (8, (b'WAVE',)))),
    ('mosaic', "Mosaic, version 1: Apache Paimon's columnar-bucket format for wide tables", '../idl/mosaic.idl', ((-4, (b'MOSA',)),)),
    ('avro', 'Avro container files: metadata by name, then blocks of objects with a marker behind each', '../idl/gallery/avro.idl', ((0, (b'Obj\x01',)),)),
    ('elf', 'Programs and libraries of Unix systems: ELF files of 32 and 64 bits and of both byte orders', '../idl/gallery/elf.idl', ((0, (b'\x7fELF',)),)),
    ('gguf', 'GGUF model files: key-value metadata, descriptions of tensors, and their data', '../idl/gallery/gguf.idl', ((0, (b'GGUF',)),)),
    ('git_index', "Git's index: the files of the next commit", '../idl/gallery/git_index.idl', ((0, (b'DIRC',)),)),
    ('java_class', 'Compiled classes of Java', '../idl/gallery/java_class.idl', ((0, (b'\xca\xfe\xba\xbe',)),)),
    ('midi', 'Standard MIDI files: chunks of events with the time between them', '../idl/gallery/midi.idl', ((0, (b'MThd',)),)),
    ('mo', 'Translations of programs, as msgfmt compiles them: files of both byte orders', '../idl/gallery/mo.idl', ((0, (b'\xde\x12\x04\x95', b'\x95\x04\x12\xde')),)),
    ('parquet_flatbuffers', "A candidate for Parquet's next footer: FileMetaData in FlatBuffers, without what other fields tell", '../idl/gallery/parquet_flatbuffers.idl', ((-4, (b'PAR3',)),)),
    ('parquet_modular', "A candidate for Parquet's next footer: modules for the schema, places and statistics, each an array a field, column by column", '../idl/gallery/parquet_modular.idl', ((-4, (b'MFP1',)),)),
    ('parquet_parx', "A candidate for Parquet's next footer: today's without the paths of column chunks, in a frame that says so", '../idl/gallery/parquet_parx.idl', ((0, (b'PARX',)),)),
    ('pcap', 'Captured network packets, as tcpdump writes them: files of both byte orders', '../idl/gallery/pcap.idl', ((0, (b'\xd4\xc3\xb2\xa1', b'\xa1\xb2\xc3\xd4', b'M<\xb2\xa1', b'\xa1\xb2<M')),)),
    ('roaring', 'Roaring bitmaps of 32-bit numbers in the portable form', '../idl/gallery/roaring.idl', ((0, (b':0\x00\x00',)),)),
    ('truetype', 'Fonts, TrueType and OpenType: a directory of tables, and some of the tables', '../idl/gallery/truetype.idl', ((0, (b'\x00\x01\x00\x00', b'OTTO', b'true')),)),
    ('tzif', 'Time zones: when clocks change, and what they show', '../idl/gallery/tzif.idl', ((0, (b'TZif',)),)),
    ('zip', 'ZIP archives, with ZIP64 or without: the end locates the directory, that the members. No encryption, no comment of the whole', '../idl/gallery/zip.idl', ((-22, (b'PK\x05\x06',)),)),
    ('orc', 'ORC files with an uncompressed tail: the postscript at the end locates the footer, which locates the stripes', '../idl/gallery/orc.idl', ((0, (b'ORC',)),)),
    ('dns', 'Messages of the Domain Name System, as they stand in datagrams', '../idl/gallery/dns.idl', ()),
    ('parquet_jump_table', "A candidate for Parquet's next footer: today's, behind a pointer to a table of places", '../idl/gallery/parquet_jump_table.idl', ()),
)
