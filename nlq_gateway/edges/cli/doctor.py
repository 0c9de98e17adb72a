"""`nlq doctor`: checks every endpoint and the model, and gives advice."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections import Counter
from collections.abc import Iterator

from nlq_gateway.edges.cli.source import settings_of
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.models.opened import configured_model
from nlq_gateway.offline.doctor import SEVERITIES, Finding, Severity, examine, examine_model
from nlq_gateway.settings import Settings

_WIDTH = 100


def doctor(options: argparse.Namespace) -> int:
    """Print the findings; 1 after an error, with --strict also after a warning, else 0."""
    findings = []
    for finding in _findings(settings_of(options), options.try_update):
        findings.append(finding)
        if not options.json:
            print("\n".join(_lines(finding)), flush=True)
    if options.json:
        print(json.dumps([finding.as_json() for finding in findings], ensure_ascii=False, indent=2))
    else:
        counts = Counter(finding.found.severity for finding in findings)
        print(", ".join(_counted(counts[severity], severity) for severity in SEVERITIES if counts[severity]))
    worst = max((SEVERITIES.index(finding.found.severity) for finding in findings), default=0)
    return int(worst >= SEVERITIES.index("warning" if options.strict else "error"))


def _findings(settings: Settings, try_update: bool) -> Iterator[Finding]:
    for endpoint in settings.endpoints:
        yield from examine(Endpoint(endpoint), try_update=try_update)
    model = configured_model(settings.model)
    try:
        yield from examine_model(model)
    finally:
        if model is not None:
            model.close()


def _lines(finding: Finding) -> Iterator[str]:
    found = finding.found
    head = f"{found.severity:<8}{finding.subject:<12} {finding.check:<14}"
    indent = " " * len(head)
    yield from textwrap.wrap(found.message, _WIDTH, initial_indent=head, subsequent_indent=indent)
    for line in filter(None, found.evidence):
        yield f"{indent}  {line}"
    if found.remedy:
        lead = f"{indent}→ "
        yield from textwrap.wrap(found.remedy, _WIDTH, initial_indent=lead, subsequent_indent=f"{indent}  ")


def _counted(number: int, severity: Severity) -> str:
    return f"{number} {severity}{'s' if number > 1 and severity != 'ok' else ''}"
