// The files of a kernel, in its worker: those that a cell has written go to the page (files.mjs), and others come from there.
const HOME = "/home/learner", known = new Map(); // path below HOME: when it was written
let FS;

function* files(folder = "") {
  for (const name of FS.readdir(`${HOME}/${folder}`)) {
    if (name.startsWith(".") || name === "__pycache__") continue;
    const path = `${folder}${name}`, { mode, mtime } = FS.stat(`${HOME}/${path}`);
    if (FS.isDir(mode)) yield* files(`${path}/`);
    else yield [path, Number(mtime)];
  }
}

/** Take the files that are there for those of the course, and others from the page. */
export function watch(python) {
  FS = python.FS;
  for (const [path, mtime] of files()) known.set(path, mtime);
}

/** Send the page the files that were written since the last time. */
export function send() {
  const written = [...files()].filter(([path, mtime]) => known.get(path) !== mtime);
  for (const [path, mtime] of written) known.set(path, mtime);
  if (written.length) postMessage({ written: written.map(([path]) => [path, FS.readFile(`${HOME}/${path}`)]) });
}

/** Write a file of the page. */
export function take(path, bytes) {
  const place = `${HOME}/${path}`;
  FS.mkdirTree(place.slice(0, place.lastIndexOf("/")));
  FS.writeFile(place, bytes);
  known.set(path, Number(FS.stat(place).mtime));
}
