// A cell that can be interrupted while it computes, in its worker: no message reaches it then, and memory is not shared.
// So Python looks for a signal now and then, as it does anywhere, and every 400 ms that asks the browser whether the
// ticket of the cell is still valid: the address of nothing, which interrupt.js revokes.
const EVERY = 400, SIGINT = 2, signals = [0]; // Python writes 0 when it has taken a signal
let python, cells = 0, ticket, asked = 0, next = 0;

function issue() {
  ticket = URL.createObjectURL(new Blob());
  postMessage({ ticket });
}

function found() {
  if (signals[0]) return signals;
  if (++asked % 10 || performance.now() < next) return null; // a look at the clock takes a while, too
  next = performance.now() + EVERY;
  const request = new XMLHttpRequest();
  request.open("GET", ticket, false);
  try {
    request.send();
    return null;
  } catch {
    issue(); // the cell may go on, and be interrupted again
    signals[0] = SIGINT;
    return signals;
  }
}

/** Have this Python look here, in the place of the buffer that `setInterruptBuffer` sets. */
export function prepare(loaded) {
  python = loaded;
  Object.defineProperty(python._module, "Py_EmscriptenSignalBuffer", { get: found, set() {} });
}

export function began() {
  if (cells++) return; // a cell that another one runs
  issue();
  python.setInterruptBuffer(true);
}

/** Return whether no cell runs any longer. */
export function ended() {
  if (--cells) return false;
  python.setInterruptBuffer(false);
  URL.revokeObjectURL(ticket);
  postMessage({ ticket: null });
  return true;
}
