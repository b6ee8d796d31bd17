// The files of a kernel, in its worker: those that a cell writes or deletes go to the page (files.mjs), and others come
// from there.
export const HOME = "/home/learner";
const known = new Map(); // path below HOME: when it was written
let FS;

function* files(folder = "") {
  for (const name of FS.readdir(`${HOME}/${folder}`)) {
    if (name.startsWith(".") || name === "__pycache__") continue;
    const path = `${folder}${name}`, { mode, mtime } = FS.lstat(`${HOME}/${path}`);
    if (FS.isDir(mode)) yield* files(`${path}/`);
    else if (FS.isFile(mode)) yield [path, Number(mtime)]; // not a link
  }
}

function read(path) {
  try {
    return [[path, FS.readFile(`${HOME}/${path}`)]];
  } catch {
    return []; // a cell has taken away the right to read it
  }
}

/** Treat the files that are there now as those of the course. */
export function watch(python) {
  FS = python.FS;
  for (const [path, mtime] of files()) known.set(path, mtime);
}

/** Send the page the files that were written since the last time, and the names of those that were deleted. */
export function send() {
  const now = new Map(files()), written = [...now.keys()].filter((path) => known.get(path) !== now.get(path));
  const gone = [...known.keys()].filter((path) => !now.has(path));
  for (const path of written) known.set(path, now.get(path));
  for (const path of gone) known.delete(path);
  if (written.length + gone.length) postMessage({ files: [...written.flatMap(read), ...gone.map((path) => [path, null])] });
}

/** Write a file of the page, or remove it and what is in it if `bytes` is null. */
export function take(path, bytes) {
  const place = `${HOME}/${path}`;
  if (bytes) {
    FS.mkdirTree(place.slice(0, place.lastIndexOf("/")));
    FS.writeFile(place, bytes);
    known.set(path, Number(FS.stat(place).mtime));
  } else for (const each of [...known.keys()].filter((each) => each === path || each.startsWith(`${path}/`))) {
    FS.unlink(`${HOME}/${each}`);
    known.delete(each);
  }
}
