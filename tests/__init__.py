"""The tests, importable as `tests.*` so that helpers have one name in pytest, in mypy and in scripts."""
