"""From an endpoint's settings to its connector."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from connectors import Auth, BasicAuth, BearerAuth, HeaderAuth, Limits, NoAuth, Tls
from connectors.auth import DigestAuth
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.endpoints.connection import auth_of, connected, limits_of, tls_of
from nlq_gateway.settings import AuthSettings, EndpointSettings, LimitSettings, TlsSettings

STORE = {"id": "kg", "url": "https://kg.example/sparql", "dialect": "virtuoso"}


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({}, NoAuth),
        ({"type": "basic", "user": "u", "password": SecretStr("p")}, BasicAuth),
        ({"type": "digest", "user": "u", "password": SecretStr("p")}, DigestAuth),
        ({"type": "bearer", "token": SecretStr("t")}, BearerAuth),
        ({"type": "header", "header": "X-Key", "value": SecretStr("v")}, HeaderAuth),
    ],
)
def test_every_way_to_log_in(given: dict[str, Any], kind: type[Auth]) -> None:
    assert type(auth_of(AuthSettings.model_validate(given))) is kind


def test_all_limits_are_passed_on() -> None:
    given = {"connect_ms": 1, "query_ms": 2, "max_rows": 3, "max_bytes": 4}
    given |= {"concurrency": 5, "per_second": 6, "retries": 7}
    limits = limits_of(LimitSettings.model_validate(given))
    assert limits == Limits(**given)  # type: ignore[arg-type]
    assert limits_of(LimitSettings()) == Limits(per_second=100)


@pytest.mark.parametrize(("given", "per_second"), [({}, math.inf), ({"per_second": 3}, 3)])
def test_data_files_are_asked_as_fast_as_they_answer(
    tmp_path: Path, given: dict[str, Any], per_second: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kg.ttl").write_text("<urn:a> <urn:b> <urn:c> .", encoding="utf-8")
    rates: list[float] = []
    monkeypatch.setattr("connectors.oxigraph.Gate", lambda _concurrency, rate: rates.append(rate))
    settings = {"id": "kg", "data": [str(tmp_path / "kg.ttl")], "limits": given}
    connector, _ = connected(EndpointSettings.model_validate(settings), tmp_path / "cache")
    connector.close()
    assert rates == [per_second]


def test_files_for_tls(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("ca", "certificate", "key")}
    for file in files.values():
        file.touch()
    names = {name: str(file) for name, file in files.items()}
    settings = TlsSettings.model_validate({**names, "password": SecretStr("s3cr3t")})
    assert tls_of(settings) == Tls(**files, password="s3cr3t")
    assert "s3cr3t" not in f"{tls_of(settings)!r} {settings!r}"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"tls": {"ca": __file__}}, "tls.ca"),
        ({"auth": {"type": "digest", "user": 'a"b', "password": SecretStr("p")}}, "user name"),
        ({"auth": {"type": "basic", "user": "a:b", "password": SecretStr("p")}}, "user name"),
    ],
)
def test_what_cannot_be_used_is_an_error_of_the_configuration(
    tmp_path: Path, given: dict[str, Any], words: str
) -> None:
    settings = EndpointSettings.model_validate({**STORE, **given})
    with pytest.raises(ConfigurationError, match=words) as caught:
        connected(settings, tmp_path)
    assert "kg" in caught.value.message
