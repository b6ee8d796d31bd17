"""A small checkout with a notebook of its own, for the tools that run notebooks."""

import nbformat
import pytest

PARAMETERS = "interactive: bool = True\nspark: bool = False\nout_dir: str = ''"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><circle r="5"/></svg>'
CELLS = [
    ("# A small tour\n\nRead [more](https://example.org/more).", "markdown", {}),
    (PARAMETERS, "code", {"tags": ["parameters"]}),
    ("print('shown: <b>', interactive, spark, out_dir)", "code", {}),
    ("print('output of a hidden input')", "code", {"tags": ["hide-input"]}),
    ("print('output of a folded input')", "code", {"jupyter": {"source_hidden": True}}),
    ("print('a removed cell')", "code", {"tags": ["remove-cell"]}),
    (
        "from IPython.display import display\n"
        f"display({{'image/svg+xml': '{SVG}', 'text/plain': 'a \"dot\"'}}, raw=True)\n"
        "display({'application/vnd.jupyter.widget-view+json': {'model_id': 'x', 'version_major': 2}, "
        "'text/plain': 'IntSlider(value=0)'}, raw=True)\n"
        "display({'application/javascript': 'alert(1)', 'text/plain': 'words instead'}, raw=True)",
        "code",
        {},
    ),
]


@pytest.fixture
def checkout(tmp_path):
    """A folder with a tour notebook that runs in a second."""
    write_notebook(tmp_path / "notebooks" / "00-start-here.ipynb", CELLS)
    (tmp_path / "datasets").mkdir()
    return tmp_path


@pytest.fixture
def notebook(tmp_path):
    """A function that writes a notebook of code cells and returns its path."""

    def write(name, *sources):
        return write_notebook(tmp_path / name, [(source, "code", {}) for source in sources])

    return write


def write_notebook(path, cells):
    """Write a notebook from (source, type, metadata) rows."""
    book = nbformat.v4.new_notebook(
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    )
    for source, kind, metadata in cells:
        make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
        book.cells.append(make(source, metadata=metadata))
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(book, path)
    return path
