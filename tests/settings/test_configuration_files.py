"""Files that are right and files that are wrong, to the loader and to the published JSON Schema."""

from __future__ import annotations

import json
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.settings import load
from nlq_gateway.settings.document import read
from nlq_gateway.settings.effective import as_yaml, effective
from nlq_gateway.settings.load import examine
from nlq_gateway.settings.schema import published, schema

FIXTURES = Path(__file__).parent / "fixtures"
SHIPPED = Path(__file__).parents[2] / "nlq_gateway" / "settings" / "schema.json"
SECRET = "s3cr3t-sentinel"
ENVIRONMENT = {"TOKEN": SECRET, "PORT": "8890", "DIALECT": "fuseki", "TIME": "12h"}
VALIDATOR = jsonschema.Draft202012Validator(schema())
STORE = "endpoints:\n- id: a\n  url: http://localhost/sparql\n"
Case = Mapping[str, Any]


def cases(name: str) -> list[Any]:
    found = yaml.safe_load((FIXTURES / name).read_text(encoding="utf-8"))
    return [pytest.param(case, id=case["name"].replace(" ", "-")) for case in found]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what the files of the tables refer to."""
    (tmp_path / "here.ttl").touch()
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    contents = {
        "token": f"{SECRET}\n".encode(),
        "empty": b"\n",
        "binary": b"\xff\xfe\x00",
        "zero": b"a\x00b",
        "large": b"a" * 70_000,
        "lines": f"{SECRET}\n{SECRET}\n".encode(),
    }
    for name, content in contents.items():
        (secrets / name).write_bytes(content)
    return tmp_path


def written(folder: Path, text: str) -> Path:
    file = folder / "nlq.yaml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("case", cases("wrong.yaml"))
def test_what_is_wrong_is_told_with_file_line_and_key(folder: Path, case: Case) -> None:
    file = written(folder, case["file"])
    with pytest.raises(ConfigurationError) as caught:
        load(file, ENVIRONMENT)
    error = caught.value
    assert (error.file, error.line, error.key) == (str(file), case["line"], case["key"])
    assert error.message.startswith(f"{file}, line {case['line']}" if case["line"] else str(file))
    assert case["key"] in error.message
    assert case["words"] in f"{error.message}; {error.hint}"
    assert not any(secret in f"{error.message} {error.hint}" for secret in (SECRET, "in-the-file"))


@pytest.mark.parametrize(
    "case", [case for case in cases("wrong.yaml") if case.values[0]["knows"] is not None]
)
def test_the_schema_knows_what_can_be_known_from_the_file_alone(folder: Path, case: Case) -> None:
    data = read(written(folder, case["file"])).data
    assert VALIDATOR.is_valid(data) != case["knows"]


@pytest.mark.parametrize("case", cases("right.yaml"))
def test_what_is_right_is_taken_and_shown_so_that_it_is_right_again(folder: Path, case: Case) -> None:
    reading = examine(written(folder, case["file"]), ENVIRONMENT)
    assert reading.faults == ()
    assert reading.settings is not None
    assert reading.document is not None
    VALIDATOR.validate(reading.document.data)
    shown = as_yaml(*effective(reading))
    assert SECRET not in shown
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    again = examine(written(elsewhere, shown), ENVIRONMENT)
    assert again.faults == ()
    assert again.settings == reading.settings
    assert again.document is not None
    VALIDATOR.validate(again.document.data)


def test_the_example_with_every_section_is_right_to_the_schema() -> None:
    VALIDATOR.validate(read(FIXTURES / "every_section.yaml").data)


def test_the_shipped_schema_is_made_from_the_models(request: pytest.FixtureRequest) -> None:
    made = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    if request.config.getoption("--update-goldens"):
        SHIPPED.write_text(made, encoding="utf-8")
    assert published() == made, "write it anew with --update-goldens"
    jsonschema.Draft202012Validator.check_schema(json.loads(published()))


def test_every_key_has_its_description_in_the_schema() -> None:
    whole = schema()
    sections = [whole, *(part for part in whole["$defs"].values() if "properties" in part)]
    assert len(sections) > 5
    assert all(key["description"] for section in sections for key in section["properties"].values())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$${TOKEN}", "${TOKEN}"),
        ("$$${PORT}", "$${PORT}"),
        ("${PORT}$${PORT}", "8890${PORT}"),
        ("$PORT", "$PORT"),
        ("cost: $5", "cost: $5"),
    ],
)
def test_only_references_are_filled_in(folder: Path, text: str, value: str) -> None:
    file = written(folder, f"endpoints: [{{id: a, aliases: ['{text}'], data: ['builtin:sample']}}]")
    assert load(file, ENVIRONMENT).endpoints[0].aliases == (value,)


def test_a_file_is_read_without_its_last_line_break(folder: Path) -> None:
    for reference in ("secrets/token", str(folder / "secrets" / "token")):
        text = (
            f"endpoints: [{{id: a, url: 'http://h/', auth: {{type: bearer, token: ${{file:{reference}}}}}}}]"
        )
        token = load(written(folder, text), ENVIRONMENT).endpoints[0].auth.token
        assert token is not None
        assert token.get_secret_value() == SECRET


@pytest.mark.parametrize(
    "line",
    [
        "dialect: ${TOKEN}",
        "aliases: [a, '${TOKEN}', '${TOKEN}/', a]",
        "data: ['${TOKEN}.ttl']",
        "auth: {type: '${TOKEN}'}",
        "auth: {type: header, header: 'X ${TOKEN}', value: '${TOKEN}'}",
        "auth: {type: basic, user: '${TOKEN}', token: '${TOKEN}'}",
        "tls: {ca: '${TOKEN}'}",
        "services: ['${TOKEN}/x']",
        "default_graphs: ['${file:secrets/token}']",
        "labels: {predicates: ['${TOKEN}'], languages: ['${TOKEN}']}",
        "limits: {max_rows: '${TOKEN}', per_second: '${TOKEN}'}",
        "index: {refresh: '${TOKEN}', sample: '${TOKEN}', include: ['${TOKEN}'], build: '${TOKEN}'}",
        "auth: {type: bearer, token: '${file:secrets/lines}'}",
        "${TOKEN}: 1",
    ],
)
def test_no_secret_is_in_what_is_said_of_a_wrong_value(folder: Path, line: str) -> None:
    text = f"{STORE}  {line}\n- id: a\n  data: [here.ttl]\n"
    reading = examine(written(folder, text), ENVIRONMENT)
    assert reading.faults
    for fault in reading.faults:
        said = f"{fault!r} {fault} {fault.hint} {traceback.format_exception(fault)}"
        assert SECRET not in said, said
    with pytest.raises(ConfigurationError) as caught:
        load(written(folder, text), ENVIRONMENT)
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_what_is_said_names_the_reference_in_place_of_its_value(folder: Path) -> None:
    [fault] = examine(written(folder, f"{STORE}  dialect: ${{TOKEN}}\n"), ENVIRONMENT).faults
    assert "'${TOKEN}' is not a value of it" in fault.message


def test_all_faults_are_told_in_the_order_of_the_file(folder: Path) -> None:
    text = f"{STORE}  layout: tree\n  auth: {{type: bearer, token: '${{UNSET}}'}}\n  limit: 1\ncache: 1\n"
    faults = examine(written(folder, text), ENVIRONMENT).faults
    assert [(fault.line, fault.key) for fault in faults] == [
        (4, "endpoints[0].layout"),
        (5, "endpoints[0].auth.token"),
        (6, "endpoints[0].limit"),
        (7, "cache"),
    ]
