"""Every setting, and the reader of configuration files (`load`).

configuration.py   the whole: its sections, and changes by commands
endpoint.py        the keys of one endpoint
auth.py            the keys of logins
language_model.py  the keys of the language model
server.py          the keys of the gateway's own HTTP interface, its log and its spans
logs.py            the log that the server writes
section.py         the common base of sections, and the faults that validators find
values.py          types of values: secrets, durations, files, IRIs
iris.py            types of names in a graph: IRIs, language tags
document.py        a YAML file as plain data with lines
references.py      `${NAME}` and `${file:PATH}`, and their values
load.py            a file to `Settings`, or to all its faults
effective.py       the settings as a file could state them, with defaults and without secrets
schema.py          the JSON Schema of files (schema.json)
key_tables.py      every key with its default and meaning, for docs/configuration.md
explain.py         faults as errors with file, line and key
folders.py         folders for caches and data
"""

from __future__ import annotations

from nlq_gateway.settings.auth import AuthSettings
from nlq_gateway.settings.configuration import Settings
from nlq_gateway.settings.endpoint import (
    EndpointSettings,
    LimitSettings,
    TlsSettings,
)
from nlq_gateway.settings.folders import cache_folder, database_file, private_folder
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
    "database_file",
    "load",
    "private_folder",
]
