"""Tables on Spark: ingest, changes of rows, scans as DataFrames, and data sources. `lakecodec.pipeline` has the public names."""
