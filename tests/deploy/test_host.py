"""The systemd unit and nginx's snippets, as far as no other tool is needed to judge them."""

from __future__ import annotations

import re
from pathlib import Path

from nlq_gateway.edges.cli.arguments import parse

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = (DEPLOY / "systemd" / "nlq-gateway.service").read_text(encoding="utf-8")
NGINX = {file.name: file.read_text(encoding="utf-8") for file in (DEPLOY / "nginx").glob("*.conf")}
HARDENING = {
    "DynamicUser": "yes",
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "CapabilityBoundingSet": "",
    "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX",
}


def unit() -> dict[str, str]:
    return dict(re.findall(r"^(\w+)=(.*)$", UNIT, re.MULTILINE))


def test_the_unit_runs_a_command_of_ours_and_reloads_by_hangup() -> None:
    program, *arguments = unit()["ExecStart"].split()
    options = parse(arguments)
    assert program == "/opt/nlq/bin/nlq"
    assert (options.host, options.port, options.config) == ("127.0.0.1", 8080, "/etc/nlq/nlq.yaml")
    assert unit()["ExecReload"] == "/bin/kill -HUP $MAINPID"


def test_the_unit_gives_away_no_rights() -> None:
    assert HARDENING.items() <= unit().items()


def test_what_the_unit_lets_it_write_is_where_it_writes() -> None:
    assert unit()["CacheDirectory"] == unit()["StateDirectory"] == "nlq-gateway"
    assert "NLQ_CACHE=%C/nlq-gateway NLQ_DATA=%S/nlq-gateway" in unit()["Environment"]


def test_nginx_leads_to_where_the_unit_listens() -> None:
    addresses = set(re.findall(r"proxy_pass http://([\d.:]+)", NGINX["nlq.conf"]))
    assert addresses == {f"{parse(unit()['ExecStart'].split()[1:]).host}:8080"}


def test_what_nginx_includes_is_there() -> None:
    included = {
        name
        for text in NGINX.values()
        for name in re.findall(r"^\s*include snippets/([\w.-]+);", text, re.MULTILINE)
    }
    assert included == set(NGINX) - {"example.conf"}


def test_every_way_through_nginx_is_limited_and_unbuffered() -> None:
    locations = re.findall(r"^location [^@{]*\{(.*?)^\}", NGINX["nlq.conf"], re.MULTILINE | re.DOTALL)
    assert len(locations) == 4
    assert all("include snippets/nlq-proxy.conf;" in text for text in locations)
    assert {"proxy_buffering off;", "proxy_cache off;", "limit_req zone=nlq burst=40 nodelay;"} <= set(
        NGINX["nlq-proxy.conf"].splitlines()
    )
    # What is added by clients is not believed.
    assert "proxy_add_x_forwarded_for" not in NGINX["nlq-proxy.conf"]


def test_the_readme_of_the_folder_names_every_file() -> None:
    text = (DEPLOY / "README.md").read_text(encoding="utf-8")
    wanted = [
        file for file in (*DEPLOY.glob("*/*"), *DEPLOY.glob("Dockerfile*")) if file.suffix != ".dockerignore"
    ]
    assert [str(file) for file in wanted if file.name not in text] == []
