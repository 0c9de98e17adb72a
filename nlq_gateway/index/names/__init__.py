"""The look-up of entities by name: in the index itself, or in the store."""

from nlq_gateway.index.names.detect import NamePredicates, TextIndex, find_text_index
from nlq_gateway.index.names.local import FileNames
from nlq_gateway.index.names.protocol import EntityNames, NamedEntity
from nlq_gateway.index.names.store import StoreNames

__all__ = [
    "EntityNames",
    "FileNames",
    "NamePredicates",
    "NamedEntity",
    "StoreNames",
    "TextIndex",
    "find_text_index",
]
