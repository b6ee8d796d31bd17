// A learner's progress in this browser: lines of JSON in its storage. Kernels and the front page add lines, and hear of those
// that others add.
const channel = new BroadcastChannel("mqlab-progress");
let database;

const opened = () => (database ??= new Promise((found, failed) => {
  const asked = indexedDB.open("mqlab", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("progress", { autoIncrement: true });
  asked.onsuccess = () => found(asked.result);
  asked.onerror = () => failed(asked.error);
}));

async function doing(mode, act) {
  const transaction = (await opened()).transaction("progress", mode);
  return new Promise((done, failed) => {
    const asked = act(transaction.objectStore("progress"));
    transaction.oncomplete = () => done(asked.result);
    transaction.onabort = () => failed(transaction.error);
  });
}

export const lines = () => doing("readonly", (store) => store.getAll());

export async function added(line) {
  await doing("readwrite", (store) => store.add(line));
  channel.postMessage(line);
}

/** Call `act(line)` for each line that another kernel or page adds. */
export const listen = (act) => { channel.onmessage = ({ data }) => act(data); };
