"""`python -m nlq_gateway` is `nlq`."""

from __future__ import annotations

import sys

from nlq_gateway.cli import main

sys.exit(main())
