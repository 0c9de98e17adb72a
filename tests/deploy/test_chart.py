"""The Helm chart: its values keep to their schema, and the configuration in them is one of ours."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from nlq_gateway.settings.load import examine

ROOT = Path(__file__).parents[2]
CHART = ROOT / "deploy" / "helm" / "nlq-gateway"
SCHEMA = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
VALUES = ("values.yaml", "ci/whole-values.yaml")


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((CHART / name).read_text(encoding="utf-8"))
    return found


def keys(values: dict[str, Any], schema: dict[str, Any], path: str = "") -> set[str]:
    """The keys of values, as far as the schema names keys."""
    found = set()
    for name, value in values.items():
        found.add(path + name)
        inner = schema["properties"].get(name, {})
        if isinstance(value, dict) and inner.get("additionalProperties") is False:
            found |= keys(value, inner, f"{path}{name}.")
    return found


def named(schema: dict[str, Any], path: str = "") -> set[str]:
    """The keys that a schema names."""
    found = set()
    for name, inner in schema["properties"].items():
        found.add(path + name)
        if inner.get("type") == "object" and inner.get("additionalProperties") is False:
            found |= named(inner, f"{path}{name}.")
    return found


@pytest.mark.parametrize("name", VALUES)
def test_values_keep_to_their_schema(name: str) -> None:
    jsonschema.validate(read(name), SCHEMA)


def test_every_key_of_the_schema_has_a_default() -> None:
    assert named(SCHEMA) - keys(read("values.yaml"), SCHEMA) == {"global", "nameOverride", "fullnameOverride"}


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"replica": 2}, "replica"),
        ({"image": {"repository": "x", "tag": "latest"}}, "latest"),
        ({"config": {}}, "endpoints"),
        ({"probes": {"readiness": "/"}}, "'/'"),
        ({"secretEnv": [{"name": "KG TOKEN", "secret": "kg", "key": "token"}]}, "KG TOKEN"),
    ],
)
def test_wrong_values_are_refused(values: dict[str, Any], place: str) -> None:
    with pytest.raises(jsonschema.ValidationError, match=re.escape(place)):
        jsonschema.validate({**read("values.yaml"), **values}, SCHEMA)


@pytest.mark.parametrize("name", VALUES)
def test_the_configuration_is_one_of_ours(name: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("key\n")
    text = yaml.safe_dump(read(name)["config"]).replace("/run/secrets/llm/key", str(tmp_path / "key"))
    (tmp_path / "nlq.yaml").write_text(text, encoding="utf-8")
    assert examine(tmp_path / "nlq.yaml", {"KG_TOKEN": "token"}).faults == ()


def test_every_value_that_a_template_reads_has_a_default() -> None:
    known = keys(read("values.yaml"), SCHEMA) | {"nameOverride", "fullnameOverride"}
    for file in (CHART / "templates").iterdir():
        for path in re.findall(r"\.Values\.([\w.]+)", file.read_text(encoding="utf-8")):
            assert path in known, f"{file.name}: {path}"


def test_the_versions_are_those_of_the_package() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    compose = (ROOT / "deploy" / "compose" / "gateway.yaml").read_text(encoding="utf-8")
    assert read("Chart.yaml")["appVersion"] == version
    assert f"image: nlq-gateway:{version}\n" in compose
