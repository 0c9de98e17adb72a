"""Who knows the entities of a graph by their names: the index itself, or the store."""

from nlq_gateway.index.names.detect import TextIndex, find_text_index
from nlq_gateway.index.names.local import LocalNames
from nlq_gateway.index.names.naming import Naming
from nlq_gateway.index.names.protocol import EntityNames, Named, Near
from nlq_gateway.index.names.store import StoreNames

__all__ = [
    "EntityNames",
    "LocalNames",
    "Named",
    "Naming",
    "Near",
    "StoreNames",
    "TextIndex",
    "find_text_index",
]
