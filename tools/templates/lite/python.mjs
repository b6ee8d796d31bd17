// Pyodide with the packages of the course, for the kernel of a notebook and for the incident of the front page.
import { unpack } from "./archive.mjs";
import { HOME } from "./disk.mjs";
import { loadPyodide as load } from "./pyodide.mjs";

export const PROGRESS = `${HOME}/.mqlab/progress.jsonl`;

// A file as bytes, gunzipped; tells how much of it is there.
async function fetched(name, tell) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name} cannot be loaded (${answer.status}): is the folder of the course complete?`);
  const total = Number(answer.headers.get("content-length")) || 20_000_000;
  let there = 0;
  const counted = new TransformStream({
    transform(chunk, out) {
      there += chunk.length;
      tell("the packages of the course", 0.3 * Math.min(1, there / total));
      out.enqueue(chunk);
    },
  });
  const plain = answer.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** Python with its packages; `tell(what, part)` is called while they load. */
export async function loaded(tell) {
  tell("Python", 0);
  const indexURL = new URL(".", import.meta.url).href;
  const [python, archive] = await Promise.all([
    load({ indexURL, env: { HOME, MQLAB_PROGRESS: PROGRESS } }).then((python) => (tell("Python", 0.5), python)),
    fetched("environment.bin", tell),
  ]);
  tell("the packages of the course", 0.6);
  unpack(python.FS, archive);
  python.FS.mkdirTree(`${HOME}/.mqlab`);
  return python;
}

export const why = (error) => `Python cannot start (${error.message ?? error}). Load this page again, or use Chrome or Edge 137, Firefox 153, Safari 27, or a newer version.`;
