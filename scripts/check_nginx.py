"""Puts nginx, with the snippets of deploy/nginx, in front of a running gateway and a running Oxigraph.

Usage: python -m scripts.check_nginx PYTHON-WITH-THE-GATEWAY OXIGRAPH. Prints what was found; the exit code
is 1 where something is wrong.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

from tests.ports import free_port

SNIPPETS = Path(__file__).parents[1] / "deploy" / "nginx"
SECONDS = 60
CHUNKS = 4
PAUSE = 0.4
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
QUESTION = "How long is the Danube?"
Answer = tuple[int, dict[str, str], bytes]


def main(python: str, oxigraph: str) -> int:
    """Run all checks, and print the results."""
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    found: list[tuple[str, bool]] = []
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        # Started by root, nginx works as another user.
        folder.chmod(0o755)
        site, gateway, store = (free_port() for _ in range(3))
        start(stack, [oxigraph, "serve", "-l", str(folder / "store"), "-b", f"127.0.0.1:{store}"], store)
        configuration = write(folder, site, gateway, store)
        found.append(("nginx -t", subprocess.run([nginx, "-t", "-q", "-c", configuration]).returncode == 0))
        start(stack, [nginx, "-c", str(configuration)], site)
        with contextlib.ExitStack() as ours:
            serve = [python, "-m", "nlq_gateway", "serve", "--data", "builtin:sample", "--port", str(gateway)]
            start(ours, serve, gateway)
            wait_ready(f"http://127.0.0.1:{gateway}/readyz")
            found += beside(f"http://127.0.0.1:{site}")
            found += limited(f"http://127.0.0.1:{site}/nlq/healthz")
        # Wait until the rate limit allows requests again.
        time.sleep(5)
        found += unbuffered(f"http://127.0.0.1:{site}/nlq?question=x", gateway)
    for what, right in found:
        print(f"nginx: {'ok    ' if right else 'WRONG '} {what}")
    return 0 if all(right for _, right in found) else 1


def write(folder: Path, site: int, gateway: int, store: int) -> Path:
    """The configuration of a whole nginx around the snippets, with the ports of this run."""
    (folder / "snippets").mkdir()
    for file in SNIPPETS.glob("*.conf"):
        text = file.read_text(encoding="utf-8")
        for old, new in (("127.0.0.1:8080", gateway), ("127.0.0.1:7878", store)):
            text = text.replace(old, f"127.0.0.1:{new}")
        text = text.replace("listen 80;", f"listen 127.0.0.1:{site};")
        (folder / "snippets" / file.name).write_text(text, encoding="utf-8")
    whole = folder / "nginx.conf"
    kept = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in TEMPORARY)
    whole.write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\n"
        f"http {{ access_log off; {kept}\ninclude {folder}/snippets/example.conf; }}\n"
    )
    return whole


def beside(site: str) -> Iterator[tuple[str, bool]]:
    """Check the targets of addresses."""
    status, _, body = get(f"{site}/sparql?query=ASK%7B%7D", accept="application/sparql-results+json")
    yield "/sparql is the store's", status == 200 and json.loads(body)["boolean"] is True
    status, _, body = get(f"{site}/sparql", body=b"update=CLEAR+ALL", kind=FORM)
    yield "/sparql takes no update", status >= 400
    question = f"/nlq?question={urllib.parse.quote(QUESTION)}"
    status, headers, body = get(site + question)
    trace = json.loads(body)
    yield "/nlq answers", status == 200 and trace["status"] == "answered" and "x-request-id" in headers
    status, _, body = get(f"{site}/traces/{trace['id']}")
    yield "/traces/ID is where it says", status == 200 and json.loads(body)["id"] == trace["id"]
    status, _, body = get(f"{site}/nlq/")
    page = body.decode()
    files = re.findall(r'(?:src|href)="(static/[^"]+)"', page)
    yield "/nlq/ is the page", status == 200 and "<!doctype html" in page.lower()
    yield "its files are found", bool(files) and all(get(f"{site}/nlq/{file}")[0] == 200 for file in files)
    asked = json.dumps({"question": QUESTION}).encode()
    status, _, body = get(f"{site}/nlq/nlq", body=asked, kind=JSON)
    yield "its own requests are answered", status == 200 and json.loads(body)["status"] == "answered"
    yield "/nlq/metrics is for this machine", get(f"{site}/nlq/metrics")[0] == 200
    status, headers, body = get(f"{site}/nlq", body=b'{"question": ""}', kind=JSON)
    problem = json.loads(body)
    yield "problems pass as they are", status == 400 and get(site + problem["type"])[0] == 200
    long = json.dumps({"question": "x" * 300_000}).encode()
    status, _, body = get(f"{site}/nlq", body=long, kind=JSON)
    yield "too large requests are explained", status == 413 and b"/problems/too-large" in body
    status, headers, body = get(site + question, accept="text/event-stream")
    if headers.get("content-type", "").startswith("text/event-stream"):
        yield "events pass", body.rstrip().rpartition(b"event: ")[2].startswith(b"done")


def limited(address: str) -> Iterator[tuple[str, bool]]:
    """Check that a client with too many requests gets 429."""
    with ThreadPoolExecutor(10) as threads:
        answers = list(threads.map(get, [address] * 150))
    refused = [(headers, body) for status, headers, body in answers if status == 429]
    told = all("retry-after" in headers and b"rate-limited" in body for headers, body in refused)
    yield f"too many requests are 429 ({len(refused)} of {len(answers)})", bool(refused) and told
    yield "and nothing else", {status for status, _, _ in answers} == {200, 429}


def unbuffered(address: str, port: int) -> Iterator[tuple[str, bool]]:
    """Check that slow responses are streamed; a slow server replaces the gateway."""
    slow = ThreadingHTTPServer(("127.0.0.1", port), Slow)
    threading.Thread(target=slow.serve_forever, daemon=True).start()
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as response:
            times = []
            while response.readline():
                times.append(time.monotonic())
    finally:
        slow.shutdown()
        slow.server_close()
    gaps = [later - earlier for earlier, later in pairwise(times)]
    yield f"a stream is not held back ({len(times)} lines)", len(gaps) == CHUNKS - 1 and min(gaps) > PAUSE / 2


class Slow(BaseHTTPRequestHandler):
    """Sends a line, and waits, and sends the next."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer with a stream."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number in range(CHUNKS):
            self.wfile.write(b"%x\r\nid: %d\n\r\n" % (len(f"id: {number}\n"), number))
            self.wfile.flush()
            time.sleep(PAUSE)
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def get(address: str, *, accept: str = "*/*", body: bytes | None = None, kind: str = "") -> Answer:
    """Status, headers by small letters, and body."""
    headers = {"Accept": accept} | ({"Content-Type": kind} if kind else {})
    request = urllib.request.Request(address, data=body, headers=headers)
    try:
        response = urllib.request.urlopen(request, timeout=SECONDS)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        told = {name.lower(): value for name, value in response.headers.items()}
        return response.status, told, response.read()


def start(stack: contextlib.ExitStack, command: list[str], port: int) -> None:
    """Start a server, wait until it listens, and end it with the stack."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stack.callback(process.wait, SECONDS)
    stack.callback(process.terminate)
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise SystemExit(f"{command[0]} did not start")


def wait_ready(address: str) -> None:
    """Wait until the gateway is ready."""
    deadline = time.monotonic() + SECONDS
    while get(address)[0] != 200:
        if time.monotonic() > deadline:
            raise SystemExit("the gateway was not ready in time")
        time.sleep(0.2)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
