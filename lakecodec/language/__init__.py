"""The IDL in editors: its formatter and its language server."""
