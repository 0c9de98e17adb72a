"""The numbers that the documentation quotes, each printed by a command: `python -m benchmarks [NAME]`."""

import os

# As `nlq` has it, and before numpy is loaded, too: what is measured is what is used.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
