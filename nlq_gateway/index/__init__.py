"""The schema index of an endpoint: what its graph contains, and how people name it."""

from nlq_gateway.index.build import build
from nlq_gateway.index.embedding import Embedder, MiniLM
from nlq_gateway.index.ensure import ensure
from nlq_gateway.index.errors import IndexBusy, IndexDamaged, IndexMissing, IndexProblem
from nlq_gateway.index.introspect.plan import Plan, Probe, Stage
from nlq_gateway.index.labels import LabelFinding, find_label_predicates, label_coverage
from nlq_gateway.index.layout import Evidence, LayoutFinding, detect_layout
from nlq_gateway.index.manifest import BuildLimits, LabelSettings, Layout, Manifest
from nlq_gateway.index.members import found_classes, is_impossible
from nlq_gateway.index.planning import make_plan
from nlq_gateway.index.recipe import Recipe
from nlq_gateway.index.store import Index
from nlq_gateway.index.versions import NEWEST, Current, Versions

__all__ = [
    "NEWEST",
    "BuildLimits",
    "Current",
    "Embedder",
    "Evidence",
    "Index",
    "IndexBusy",
    "IndexDamaged",
    "IndexMissing",
    "IndexProblem",
    "LabelFinding",
    "LabelSettings",
    "Layout",
    "LayoutFinding",
    "Manifest",
    "MiniLM",
    "Plan",
    "Probe",
    "Recipe",
    "Stage",
    "Versions",
    "build",
    "detect_layout",
    "ensure",
    "find_label_predicates",
    "found_classes",
    "is_impossible",
    "label_coverage",
    "make_plan",
]
