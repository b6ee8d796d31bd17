// node compile.mjs PYODIDE ARCHIVE TO PLACE: compile the modules of an archive with the Python that will import them from
// PLACE. Without it, the first import of a chart in a page takes four times as long.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { unpack } from "./archive.mjs";

const [folder, from, to, place] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${folder}/` });
unpack(python.FS, readFileSync(from));
python.globals.set("place", place);
python.runPython(`
import compileall, py_compile, json
from pathlib import Path
at = Path("/lib/python3.14/site-packages")
unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH  # the files of a page have no dates
compileall.compile_dir(at, quiet=2, invalidation_mode=unchecked, stripdir=at, prependdir=place)
files = {str(path): path.read_bytes() for path in sorted(at.rglob("*.pyc"))}
index = json.dumps([[path, len(content)] for path, content in files.items()]).encode()
Path("/compiled").write_bytes(len(index).to_bytes(4, "big") + index + b"".join(files.values()))
`);
writeFileSync(to, python.FS.readFile("/compiled"));
