"""Explores a graph: programs over its schema, with entities and values that give answers.

BYOKG's first stage (Agarwal et al., 2024, section 3.1) with a plan: the rarest forms in the corpus come next.

explore.py   the loop, and its budget       planner.py agenda.py walker.py    the ideas to try next
pools.py     processes or a Dask cluster    schema.py     ideas, continuations of a walk, by the index
worker.py    one unit in one process
unit.py      an idea to programs            starts.py     the beginning of a walk in the store
sketch.py    a program in the making        narrowings.py closings.py tables.py   the forms of programs
asking.py    programs put to the store      forms.py work.py literals.py          their helpers
patience.py  a store that is busy
model_wording.py  questions by a language model, which lead back to their program
asking_back.py    the check that such a question leads back, by a model without scores
corpus.py    the file, and how far it is    coverage.py   the report
"""

from nlq_gateway.offline.exploration.asking_back import leads_back
from nlq_gateway.offline.exploration.corpus import Corpus
from nlq_gateway.offline.exploration.coverage import Coverage, coverage
from nlq_gateway.offline.exploration.explore import Exploration, ExplorationBudget, schema_digest
from nlq_gateway.offline.exploration.model_wording import ModelWording
from nlq_gateway.offline.exploration.pools import UnitPool, cluster, here, processes
from nlq_gateway.offline.exploration.schema import SchemaItems

__all__ = [
    "Corpus",
    "Coverage",
    "Exploration",
    "ExplorationBudget",
    "ModelWording",
    "SchemaItems",
    "UnitPool",
    "cluster",
    "coverage",
    "here",
    "leads_back",
    "processes",
    "schema_digest",
]
