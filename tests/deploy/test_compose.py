"""The compose files: their configurations load, their addresses lead somewhere, and little is open."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from nlq_gateway.settings import LimitSettings
from nlq_gateway.settings.load import examine

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "compose"
CONFIGURATIONS = sorted(FOLDER.glob("*.nlq.yaml"))
FILES = sorted(set(FOLDER.glob("*.yaml")) - set(CONFIGURATIONS))
HARDENED = {
    "read_only": True,
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges:true"],
    "tmpfs": ["/tmp"],
}
# Where a store answers queries inside of its container.
PORTS = {"oxigraph": 7878, "fuseki": 3030, "virtuoso": 8890, "vllm": 7878}
by_name = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def services(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))["services"]
    return found


def test_there_is_a_file_for_each_store_and_for_a_model() -> None:
    assert [file.stem for file in FILES] == sorted(["gateway", *PORTS])
    assert [file.name for file in CONFIGURATIONS] == sorted(f"{name}.nlq.yaml" for name in PORTS)


@pytest.mark.parametrize("file", CONFIGURATIONS, ids=lambda file: file.name)
def test_a_configuration_is_one_of_ours(file: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3cret\n")
    text = re.sub(
        r"\$\{file:/run/secrets/\w+\}", f"${{file:{tmp_path}/secret}}", file.read_text(encoding="utf-8")
    )
    (tmp_path / "nlq.yaml").write_text(text, encoding="utf-8")
    reading = examine(tmp_path / "nlq.yaml", {})
    assert reading.faults == ()
    assert reading.settings is not None
    there = services(file.with_name(file.name.replace(".nlq", "")))
    address = urlsplit(reading.settings.endpoints[0].url or "")
    assert (address.hostname in there, address.port) == (True, PORTS[file.name.partition(".")[0]])
    if reading.settings.model.url:
        assert urlsplit(reading.settings.model.url).hostname in there


@pytest.mark.parametrize("file", CONFIGURATIONS, ids=lambda file: file.name)
def test_a_secret_file_is_a_secret_of_the_gateway(file: Path) -> None:
    named = set(re.findall(r"/run/secrets/(\w+)", file.read_text(encoding="utf-8")))
    gateway = services(file.with_name(file.name.replace(".nlq", "")))["gateway"]
    assert named == set(gateway.get("secrets", []))


@by_name
def test_every_image_has_a_version(file: Path) -> None:
    for name, service in services(file).items():
        image = service.get("image", "gateway:extended" if "extends" in service else "")
        assert re.search(r":[\w.-]+(@sha256:[0-9a-f]{64})?$", image), name
        assert not image.endswith(":latest"), name


@by_name
def test_ports_are_open_to_this_machine_alone(file: Path) -> None:
    ports = [port for service in services(file).values() for port in service.get("ports", [])]
    assert all(port.startswith("127.0.0.1:") for port in ports), ports


def test_the_gateway_can_write_nothing_but_its_cache() -> None:
    gateway = services(FOLDER / "gateway.yaml")["gateway"]
    assert HARDENED.items() <= gateway.items()
    assert gateway["volumes"] == ["nlq-cache:/var/cache/nlq"]


@by_name
def test_the_gateway_is_the_same_everywhere(file: Path) -> None:
    gateway = services(file)["gateway"]
    assert file.stem == "gateway" or gateway["extends"] == {"file": "gateway.yaml", "service": "gateway"}


def test_the_stores_are_those_of_the_tests() -> None:
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    stores = (ROOT / "scripts" / "stores.sh").read_text(encoding="utf-8")
    dockerfile = (FOLDER / "fuseki" / "Dockerfile").read_text(encoding="utf-8")
    image, _, _ = services(FOLDER / "oxigraph.yaml")["store"]["image"].partition("@")
    assert f"oxigraph=={image.rpartition(':')[2]}\n" in constraints
    [version] = re.findall(r"^fuseki_version=(.+)$", stores, re.MULTILINE)
    [checksum] = re.findall(r"^fuseki_sha256=(.+)$", stores, re.MULTILINE)
    assert f"jena-fuseki-server-{version}.jar" in dockerfile
    assert f"{checksum}  /fetched/" in dockerfile
    assert services(FOLDER / "fuseki.yaml")["store"]["image"] == f"nlq-fuseki:{version}"


def test_a_query_without_a_client_ends_when_the_gateway_would_have_given_up() -> None:
    command = services(FOLDER / "oxigraph.yaml")["store"]["command"]
    seconds = int(command[command.index("--timeout-s") + 1])
    assert seconds * 1_000 == LimitSettings().query_ms
