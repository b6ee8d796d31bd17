"""`python -m mqlab` is the command mqlab."""

import sys

from mqlab.cli.cli import main

if __name__ == "__main__":
    sys.exit(main())
