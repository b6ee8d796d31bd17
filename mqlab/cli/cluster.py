"""`mqlab cluster`: a Spark cluster on this machine, with a kill switch for each worker."""

from __future__ import annotations

from argparse import ArgumentParser

from mqlab.cli import command_of, stopped
from mqlab.engine.words.errors import LabError

NEXT = """\
{cluster}

In Python, or in any notebook of mqlab:
  from mqlab.pipeline.cluster import running
  spark = running().session()        a classic session with the master
  spark = running().connect()        a session over Spark Connect
  running().kill(1)                  worker 1 dies with its executors
Other programs of Spark, such as spark-submit, find the cluster and its secret with
  export SPARK_CONF_DIR={conf}
At the command line: mqlab cluster status, mqlab cluster kill 1, mqlab cluster down"""


def parser() -> ArgumentParser:
    """Return the parser of `mqlab cluster`."""
    line = command_of("cluster")
    asked = line.add_subparsers(dest="asked", metavar="up, status, kill, or down", required=True)
    start = asked.add_parser("up", help="start a cluster")
    start.add_argument("--workers", type=int, default=2, help="how many workers (2)")
    start.add_argument("--cores", type=int, default=1, help="cores that a worker gives each application (1)")
    start.add_argument("--memory", type=int, default=512, metavar="MB", help="heap of each executor in MB (512)")
    start.add_argument("--python", metavar="PATH", help="the Python of the workers (this one)")
    asked.add_parser("status", help="show the processes, their pids, and the cores in use")
    kill = asked.add_parser("kill", help="kill a worker and its executors")
    kill.add_argument("worker", type=int, help="its number, from 1")
    asked.add_parser("down", help="stop everything that up started")
    return line


def main(argv: list[str] | None = None) -> int:
    """Start, show, break, or stop the cluster, and return the exit code."""
    options = parser().parse_args(argv)
    from mqlab.pipeline import cluster
    from mqlab.pipeline.spark import SparkUnavailable

    try:
        if options.asked == "up":
            print("Starting a master, workers, and Spark Connect. This takes up to half a minute.", flush=True)
            made = cluster.up(options.workers, options.cores, options.memory, options.python, stays=True)
            print(NEXT.format(cluster=made, conf=made.folder / "conf"))
        elif options.asked == "status":
            print(cluster.running())
        elif options.asked == "kill":
            pids = ", ".join(map(str, cluster.running().kill(options.worker)))
            print(f"killed worker {options.worker} and its executors: pids {pids}")
        else:
            cluster.running().down()
            print("The cluster is down.")
    except (LabError, SparkUnavailable) as wrong:
        return stopped("cluster", wrong)
    return 0
