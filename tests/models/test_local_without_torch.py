"""The back end of models in this process says what it lacks, and costs nothing where it is not used."""

from __future__ import annotations

import subprocess
import sys

import pytest

HIDDEN = """
import sys
sys.modules[{hidden!r}] = None
from nlq_gateway.models.errors import ModelMissing
from nlq_gateway.models.local import LocalModel
try:
    LocalModel.open("some/model")
except ModelMissing as error:
    print(error.hint)
"""
IMPORTED = """
import sys
import nlq_gateway.models, nlq_gateway.models.{module}
heavy = {{"torch", "transformers", "xgrammar", "nlq_gateway.models.local"}}
print(sorted(heavy & set(sys.modules)))
"""


def printed(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.mark.parametrize("hidden", ["torch", "transformers"])
def test_the_missing_extra_is_named(hidden: str) -> None:
    assert printed(HIDDEN.format(hidden=hidden)) == "pip install '.[models]' in the gateway's source folder"


def test_nothing_heavy_is_imported_before_a_model_is_opened() -> None:
    assert printed(IMPORTED.format(module="base")) == "[]"
    assert printed(IMPORTED.format(module="local")) == "['nlq_gateway.models.local']"
