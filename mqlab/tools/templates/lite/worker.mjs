// The worker of a kernel: loads Python at once, while JupyterLab still loads and says which notebook it is for.
import { begin } from "./kernel.mjs";
import "KERNEL_WORKER";

begin().catch(() => {}); // the kernel tells about it
