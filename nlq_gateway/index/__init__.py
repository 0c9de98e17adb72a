"""The schema index of an endpoint: what its graph contains, and how people name it."""

from nlq_gateway.index.build import build
from nlq_gateway.index.embedding import Embedder, MiniLM
from nlq_gateway.index.errors import IndexBusy, IndexDamaged, IndexMissing, IndexProblem
from nlq_gateway.index.layout import detect_layout
from nlq_gateway.index.manifest import BuildLimits, LabelSettings, Layout, Manifest
from nlq_gateway.index.store import Index
from nlq_gateway.index.versions import ensure, fingerprint

__all__ = [
    "BuildLimits",
    "Embedder",
    "Index",
    "IndexBusy",
    "IndexDamaged",
    "IndexMissing",
    "IndexProblem",
    "LabelSettings",
    "Layout",
    "Manifest",
    "MiniLM",
    "build",
    "detect_layout",
    "ensure",
    "fingerprint",
]
