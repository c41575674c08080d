"""The demonstration behind ``make demo``: write a real table, scan its Parquet metadata on Spark, report and plot."""
