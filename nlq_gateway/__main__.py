"""`python -m nlq_gateway` is `nlq`."""

from __future__ import annotations

import sys

from nlq_gateway.edges.cli import main

sys.exit(main())
