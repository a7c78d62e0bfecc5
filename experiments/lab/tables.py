"""Tables as Markdown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def markdown_table(table: pd.DataFrame) -> str:
    """A table of Markdown; three digits for numbers around 1, fewer for large ones."""
    lines = ["| " + " | ".join(map(str, table.columns)) + " |", "| " + " | ".join("---" for _ in table.columns) + " |"]
    lines += ["| " + " | ".join(shown(value) for value in row) + " |" for row in table.itertuples(index=False)]
    return "\n".join(lines)


def shown(value: Any) -> str:
    """A cell as text."""
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.3f}" if abs(value) < 100 else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value).replace("|", "\\|")
