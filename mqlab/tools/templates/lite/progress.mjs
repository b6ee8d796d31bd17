// A learner's progress in this browser: lines of JSON in its storage, which kernels add and the front page reads.
const opened = () => new Promise((found, failed) => {
  const asked = indexedDB.open("mqlab", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("progress", { autoIncrement: true });
  asked.onsuccess = () => found(asked.result);
  asked.onerror = () => failed(asked.error);
});

async function doing(mode, act) {
  const store = (await opened()).transaction("progress", mode).objectStore("progress");
  return new Promise((done, failed) => {
    const asked = act(store);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

export const lines = () => doing("readonly", (store) => store.getAll()).catch(() => []);
export const added = (line) => doing("readwrite", (store) => store.add(line));
