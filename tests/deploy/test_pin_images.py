"""`scripts/pin_images.py` against a registry that wants a token, over real sockets."""

from __future__ import annotations

import importlib.util
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
DIGEST = "sha256:" + "a1" * 32


class Registry(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert self.path == "/token?service=here&scope=repository%3Astores%2Fred%3Apull"
        self._send(200, {}, json.dumps({"token": "t0ken"}).encode())

    def do_HEAD(self) -> None:
        assert self.path == "/v2/stores/red/manifests/1.2-slim"
        if self.headers["Authorization"] == "Bearer t0ken":
            self._send(200, {"Docker-Content-Digest": DIGEST})
        else:
            realm = f"http://{self.headers['Host']}/token"
            said = f'Bearer realm="{realm}",service="here",scope="repository:stores/red:pull"'
            self._send(401, {"WWW-Authenticate": said})

    def _send(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@pytest.fixture
def registry() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def script() -> ModuleType:
    found = importlib.util.spec_from_file_location("pin_images", ROOT / "scripts" / "pin_images.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_images_of_others_are_pinned_and_pinned_anew(
    registry: str, script: ModuleType, tmp_path: Path
) -> None:
    docker = f"FROM {registry}/stores/red:1.2-slim AS build\nFROM build AS base\n"
    compose = f"    image: {registry}/stores/red:1.2-slim\n    image: nlq-gateway:0.1.0\n"
    (tmp_path / "compose").mkdir()
    files = {tmp_path / "Dockerfile": docker, tmp_path / "compose" / "red.yaml": compose}
    for _ in range(2):
        for file, text in files.items():
            file.write_text(text if not file.exists() else file.read_text().replace("a1", "b2"))
        script.main([str(tmp_path)])
        for file, text in files.items():
            assert file.read_text() == text.replace("1.2-slim", f"1.2-slim@{DIGEST}")


def test_every_image_that_is_named_is_found(script: ModuleType) -> None:
    files = [ROOT / "deploy" / "Dockerfile", *(ROOT / "deploy" / "compose").rglob("*")]
    for file in (one for one in files if one.is_file()):
        text = file.read_text(encoding="utf-8")
        named = re.findall(r"^(?:FROM|\s+image:) +(\S+:\S+)", text, re.MULTILINE)
        assert [f"{found['name']}:{found['tag']}" for found in script.NAMED.finditer(text)] == [
            one.partition("@")[0] for one in named
        ]
