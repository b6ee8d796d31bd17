// The worker of a kernel: loads Python at once, while JupyterLab still loads and says which notebook it is for.
import { begin } from "./kernel.mjs";
import "KERNEL_WORKER";

begin().catch(() => {}); // kernel.mjs has said why, and JupyterLite's kernel fails for the same reason
