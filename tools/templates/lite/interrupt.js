// What interrupts a kernel of the lab (a button, a menu, two keys) revokes the ticket of the cell that runs, for which
// ticket.mjs looks in its worker. By itself JupyterLite takes back only the cells that have not begun.
const PATIENCE = 4000; // milliseconds
const WORDS = "The cell has not stopped, perhaps because a long call of a built-in function is running. Restart the kernel (menu " +
  "Kernel) to end it: notebooks and progress stay.";
const tickets = new WeakMap();
let listens = false, deaf = null; // the worker whose cell has not stopped

/** Have the cells of a worker interrupted; `tell(words)` says what else can be done, and "" when that is over. */
export function interruptible(worker, tell) {
  worker.addEventListener("message", ({ data }) => {
    if (data?.ticket === undefined) return;
    tickets.set(worker, data.ticket);
    heard(worker, tell);
    if (!listens) listen(tell);
    listens = true;
  });
}

function heard(worker, tell) {
  if (deaf !== worker) return;
  deaf = null;
  tell("");
}

/** A worker was terminated. */
export function ended(worker, tell) {
  tickets.delete(worker);
  heard(worker, tell);
}

function listen(tell) {
  const { _kernelAPIClient: client } = jupyterapp.serviceManager.kernels, usual = client.interrupt;
  client.interrupt = async (id) => {
    const { _worker: worker } = await client.getModel(id), ticket = tickets.get(worker);
    URL.revokeObjectURL(ticket);
    if (ticket) setTimeout(() => {
      if (tickets.get(worker) === ticket) deaf = worker, tell(WORDS);
    }, PATIENCE);
    return usual.call(client, id);
  };
}
