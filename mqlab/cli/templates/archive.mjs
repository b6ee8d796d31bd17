// An archive of files: the length of its index, the index as JSON (path and length of each), and one file after another.
export function unpack(FS, archive) {
  const size = new DataView(archive.buffer, archive.byteOffset).getUint32(0), folders = new Set();
  let at = 4 + size;
  for (const [path, length] of JSON.parse(new TextDecoder().decode(archive.subarray(4, at)))) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) FS.mkdirTree(folder), folders.add(folder);
    FS.writeFile(path, archive.subarray(at, at + length), { canOwn: true });
    at += length;
  }
}
