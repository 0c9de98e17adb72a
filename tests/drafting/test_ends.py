from __future__ import annotations

import numpy as np

from nlq_gateway.drafts.drafter.ends import end_vectors
from nlq_gateway.index.embedding import MiniLM

WIDTH = MiniLM.dimensions
ROWS = {
    name: np.full(WIDTH, value, np.float32) for name, value in (("claim", 1), ("policy", 5), ("agent", 9))
}


def test_ends_are_the_means_of_their_classes_by_facts() -> None:
    found = end_vectors([((("claim", 3), ("policy", 1)), (("agent", 2),))], ROWS)
    assert found.shape == (1, 2 * WIDTH)
    assert set(found[0, :WIDTH]) == {2.0}
    assert set(found[0, WIDTH:]) == {9.0}


def test_an_end_of_unknown_classes_is_zero() -> None:
    (found,) = end_vectors([((("stranger", 3),), ())], ROWS)
    assert not found.any()


def test_rare_classes_are_left_out() -> None:
    commonest = [("claim", 9 - at) for at in range(4)]
    found = end_vectors([((*commonest, ("agent", 1)), ())], ROWS)
    assert np.allclose(found[0, :WIDTH], 1.0)


def test_a_schema_without_items_has_no_rows() -> None:
    assert end_vectors([], ROWS).shape == (0, 2 * WIDTH)
