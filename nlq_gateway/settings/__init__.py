"""Every setting, and how a configuration file is read (`load`).

model.py           the keys, with what each means
language_model.py  those about the language model
section.py         what all sections have in common
values.py     types of values: secrets, durations, files, IRIs
load.py       a YAML file to `Settings`
explain.py    what is wrong with a configuration, as one error that names file, line and key
folders.py    where the gateway keeps what it can make again
"""

from __future__ import annotations

from nlq_gateway.settings.folders import cache_folder
from nlq_gateway.settings.language_model import BudgetSettings, ModelSettings, PipelineSettings
from nlq_gateway.settings.load import load
from nlq_gateway.settings.model import (
    AuthSettings,
    EndpointSettings,
    IndexSettings,
    LabelSettings,
    LimitSettings,
    ServerSettings,
    Settings,
)
from nlq_gateway.settings.values import SAMPLE

__all__ = [
    "SAMPLE",
    "AuthSettings",
    "BudgetSettings",
    "EndpointSettings",
    "IndexSettings",
    "LabelSettings",
    "LimitSettings",
    "ModelSettings",
    "PipelineSettings",
    "ServerSettings",
    "Settings",
    "cache_folder",
    "load",
]
