"""The documentation, and what writes its generated parts: see `generate.py`."""
