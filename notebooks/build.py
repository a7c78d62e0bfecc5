"""Notebooks from their sources: `make notebooks`, or `python notebooks/build.py 02 04`.

A notebook is written as `NAME.py` (jupytext, percent format) and read as `NAME.ipynb`, which holds the outputs of its
last run. Tests run the sources again and compare: what is printed must be what stands in the committed file. Cells
tagged `varies` show times, or numbers that depend on the machine, and are left out of that.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
VARIES = "varies"
TIMEOUT = 1800
"""Seconds for a cell; the first run of a game compiles it."""


def sources() -> list[Path]:
    """The notebooks' sources, in order."""
    return sorted(path for path in HERE.glob("[0-9]*.py"))


def read(source: Path) -> Any:
    """A source as a notebook without outputs; its cells are numbered, so that the same source gives the same bytes."""
    import jupytext

    notebook = jupytext.read(source, fmt="py:percent")
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number}"
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "tags"}
    return notebook


def executed(source: Path, folder: Path) -> Any:
    """A source run from beginning to end.

    Args:
        source: of the notebook.
        folder: where it runs, and keeps what its experiments save.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell raised.
    """
    from nbclient import NotebookClient

    notebook = read(source)
    paths = [str(HERE.parent.resolve()), *filter(None, [os.environ.get("PYTHONPATH")])]
    client = NotebookClient(
        notebook, timeout=TIMEOUT, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times
    return notebook


def texts(notebook: Any) -> list[tuple[str, list[str]]]:
    """Source and printed outputs of each cell that is the same in every run; pictures are left out."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "code" and VARIES not in cell.metadata.get("tags", []):
            shown = "".join(output.get("text", "") for output in cell.outputs if output.output_type == "stream")
            data = [output.data for output in cell.outputs if "data" in output]
            results = [
                part.get("text/markdown", part.get("text/plain", "")) for part in data if "image/png" not in part
            ]
            found.append((cell.source, [shown, *results]))
    return found


def main(chosen: list[str]) -> None:
    """Run the chosen notebooks, all by default, and write them with their outputs."""
    import tempfile

    import nbformat

    for source in sources():
        if not chosen or any(source.name.startswith(text) for text in chosen):
            with tempfile.TemporaryDirectory() as folder:
                notebook = executed(source, Path(folder))
            nbformat.write(notebook, source.with_suffix(".ipynb"))
            print(source.with_suffix(".ipynb").relative_to(HERE.parent))


if __name__ == "__main__":
    main(sys.argv[1:])
