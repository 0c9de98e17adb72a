"""The schema index of an endpoint: the contents of its graph, and their names."""

from nlq_gateway.index.build import build
from nlq_gateway.index.embedding import Embedder, MiniLM, shipped_embedder
from nlq_gateway.index.ensure import ensure
from nlq_gateway.index.errors import IndexBusy, IndexDamaged, IndexMissing, IndexProblem
from nlq_gateway.index.introspect.plan import Plan, PlanStage
from nlq_gateway.index.labels import LabelFinding, find_label_predicates, label_coverage, told_naming
from nlq_gateway.index.layout import LayoutEvidence, LayoutFinding, detect_layout
from nlq_gateway.index.manifest import BuildLimits, LabelPreferences, Layout, Manifest
from nlq_gateway.index.members import found_classes, is_impossible
from nlq_gateway.index.planning import make_plan
from nlq_gateway.index.recipe import BuildOptions, Recipe
from nlq_gateway.index.sentence_model import embedder_at
from nlq_gateway.index.store import Index
from nlq_gateway.index.versions import Versions

__all__ = [
    "BuildLimits",
    "BuildOptions",
    "Embedder",
    "Index",
    "IndexBusy",
    "IndexDamaged",
    "IndexMissing",
    "IndexProblem",
    "LabelFinding",
    "LabelPreferences",
    "Layout",
    "LayoutEvidence",
    "LayoutFinding",
    "Manifest",
    "MiniLM",
    "Plan",
    "PlanStage",
    "Recipe",
    "Versions",
    "build",
    "detect_layout",
    "embedder_at",
    "ensure",
    "find_label_predicates",
    "found_classes",
    "is_impossible",
    "label_coverage",
    "make_plan",
    "shipped_embedder",
    "told_naming",
]
