"""The guard reads queries of several threads at the same time, in a process that has read none before."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import threading
from connectors.guard import parse_query

THREADS = 16
start, forms = threading.Barrier(THREADS), []

def read(number):
    start.wait()
    forms.append(parse_query(f"SELECT ?a{number} {{ ?a{number} ?p ?o FILTER(?o > {number}) }}").form)

threads = [threading.Thread(target=read, args=(number,)) for number in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(forms.count("SELECT"))
"""


def test_the_first_queries_may_come_at_the_same_time() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == ("16", "")
