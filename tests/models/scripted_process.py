"""What a process with a model runs in tests: one that says what it is told."""

from __future__ import annotations

from nlq_gateway.models.scripted import ScriptedModel
from nlq_gateway.models.shared.__main__ import run

if __name__ == "__main__":
    run(lambda name, _: ScriptedModel(lambda request: [request.prompt.text], name=f"scripted {name}"))
