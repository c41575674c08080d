"""Verification of files, whatever their format: findings, coverage of bytes, parts that metadata points to."""
