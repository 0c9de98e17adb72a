"""Every setting, and how a configuration file is read (`load`).

configuration.py   the whole: its sections, and what commands change
endpoint.py        the keys of one endpoint
auth.py            those about logging in
language_model.py  those about the language model
server.py          those about the gateway's own HTTP interface
stopping.py        how it stops
logging.py         what it writes into its log
telemetry.py       spans for a collector
section.py         what all sections have in common
values.py          types of values: secrets, durations, files, IRIs
iris.py            the same for what names things of a graph: IRIs, language tags
faults.py          how a validator says where something is wrong
document.py        a YAML file as plain data with lines
references.py      `${NAME}` and `${file:PATH}`, and what they stand for
load.py            a file to `Settings`, or to all that is wrong with it
effective.py       the settings as a file could state them, with defaults and without secrets
schema.py          the JSON Schema of files (schema.json)
reference.py       every key with its default and meaning, for docs/configuration.md
explain.py         what is wrong with a configuration, as an error that names file, line and key
folders.py         where the gateway keeps what it can make again
"""

from __future__ import annotations

from nlq_gateway.settings.auth import AuthSettings
from nlq_gateway.settings.configuration import Settings
from nlq_gateway.settings.endpoint import (
    EndpointSettings,
    LimitSettings,
    TlsSettings,
)
from nlq_gateway.settings.folders import cache_folder, data_folder, database_file, private_folder
from nlq_gateway.settings.language_model import ModelSettings, PipelineSettings
from nlq_gateway.settings.load import load
from nlq_gateway.settings.server import AccessSettings, LoadSettings, ServerSettings
from nlq_gateway.settings.values import SAMPLE

__all__ = [
    "SAMPLE",
    "AccessSettings",
    "AuthSettings",
    "EndpointSettings",
    "LimitSettings",
    "LoadSettings",
    "ModelSettings",
    "PipelineSettings",
    "ServerSettings",
    "Settings",
    "TlsSettings",
    "cache_folder",
    "data_folder",
    "database_file",
    "load",
    "private_folder",
]
