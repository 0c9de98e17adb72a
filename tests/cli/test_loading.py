"""A command that answers one question loads nothing that only servers or readers of SPARQL need."""

from __future__ import annotations

import subprocess
import sys

HEAVY = "dask flask onnxruntime openai pandas prometheus_client pyparsing rdflib sqlalchemy torch".split()
PROGRAM = f"import sys, nlq_gateway.edges.cli.ask; print(sorted({{*{HEAVY}}} & {{*sys.modules}}))"


def test_a_question_loads_nothing_that_it_does_not_need() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
