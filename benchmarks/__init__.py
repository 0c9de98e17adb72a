"""The numbers that the documentation quotes, each printed by a command: `python -m benchmarks [NAME]`."""

import os

# The same value as in `nlq`, set before numpy is loaded, so that the measured setup is the real one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
