"""The chart as Helm renders it: what is reachable, and under which names."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

CHART = Path(__file__).parents[2] / "deploy" / "helm" / "nlq-gateway"
HELM = shutil.which("helm")

pytestmark = pytest.mark.skipif(HELM is None, reason="helm is not installed")


def rendered(*flags: str) -> dict[tuple[str, str], dict[str, Any]]:
    command = [
        str(HELM),
        "template",
        "trial",
        str(CHART),
        "--namespace",
        "kg",
        "--kube-version",
        "1.30.0",
        *flags,
    ]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {(one["kind"], one["metadata"]["name"]): one for one in yaml.safe_load_all(text) if one}


def paths(found: dict[tuple[str, str], dict[str, Any]]) -> dict[str, str]:
    [rule] = found["Ingress", "trial-nlq-gateway"]["spec"]["rules"]
    return {one["path"]: one["backend"]["service"]["name"] for one in rule["http"]["paths"]}


def test_the_ingress_leads_metrics_nowhere() -> None:
    found = rendered("--set", "ingress.enabled=true")
    assert paths(found) == {"/metrics": "trial-nlq-gateway-nothing", "/": "trial-nlq-gateway"}
    assert "selector" not in found["Service", "trial-nlq-gateway-nothing"]["spec"]
    opened = rendered("--set", "ingress.enabled=true", "--set", "ingress.metrics=true")
    assert paths(opened) == {"/": "trial-nlq-gateway"}
    assert ("Service", "trial-nlq-gateway-nothing") not in opened


def test_the_gateway_knows_the_names_of_its_service_and_ingress() -> None:
    def hosts(*flags: str) -> list[str]:
        text = rendered(*flags)["ConfigMap", "trial-nlq-gateway"]["data"]["nlq.yaml"]
        found: list[str] = yaml.safe_load(text)["server"]["hosts"]
        return found

    service = ["trial-nlq-gateway", "trial-nlq-gateway.kg", "trial-nlq-gateway.kg.svc"]
    assert hosts() == [*service, "trial-nlq-gateway.kg.svc.cluster.local"]
    assert hosts("--set", "ingress.enabled=true")[-1] == "kg.example.org"
    assert hosts("--set", "config.server.hosts={other.example}") == ["other.example"]


def test_a_network_policy_lets_in_those_who_are_named() -> None:
    assert ("NetworkPolicy", "trial-nlq-gateway") not in rendered()
    spec = rendered("--set", "networkPolicy.enabled=true")["NetworkPolicy", "trial-nlq-gateway"]["spec"]
    assert spec["policyTypes"] == ["Ingress"]
    assert spec["ingress"][0]["from"] == [{"podSelector": {}}]
    whole = rendered("--values", str(CHART / "ci" / "whole-values.yaml"))
    spec = whole["NetworkPolicy", "trial-nlq-gateway"]["spec"]
    assert spec["policyTypes"] == ["Ingress", "Egress"]
    assert len(spec["egress"]) == 2


def test_an_image_is_named_by_its_digest() -> None:
    whole = rendered("--values", str(CHART / "ci" / "whole-values.yaml"))
    [container] = whole["Deployment", "trial-nlq-gateway"]["spec"]["template"]["spec"]["containers"]
    assert "@sha256:" in container["image"]
