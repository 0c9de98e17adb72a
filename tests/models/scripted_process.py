"""The module of a model's process in tests: the model says what it is told."""

from __future__ import annotations

from benchmarks.scripted_model import ScriptedModel
from nlq_gateway.models.shared.__main__ import run

if __name__ == "__main__":
    run(lambda name, _: ScriptedModel(lambda request: [request.prompt.text], name=f"scripted {name}"))
