"""An endpoint whose index is made by an embedding model of sentence-transformers, `index.embedding`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.core.types import Question
from nlq_gateway.drafts.drafter import Drafter
from nlq_gateway.edges.cli.index import facts
from nlq_gateway.index import MiniLM, embedder_at
from nlq_gateway.index.sentence_model import SentenceModel
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.settings import load
from tests.tiny_embedder import WIDTH, make_tiny_embedder

pytestmark = pytest.mark.models

TRANSLATED = {"gedreht": "directed", "filme": "film", "ohjasi": "directed", "elokuvat": "film"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that knows the words of the sample graph, and a few German and Finnish ones."""
    graphs = (one for one in resources.files("nlq_gateway.sample").iterdir() if one.name.endswith(".ttl"))
    texts = [one.read_text(encoding="utf-8") for one in graphs]
    return make_tiny_embedder(tmp_path_factory.mktemp("tiny"), texts, TRANSLATED)


def opened(folder: Path, model: Path | None) -> Pipeline:
    """The sample graph with this model, ready, by a settings file."""
    index = f"\n    index: {{embedding: {model}}}" if model else ""
    file = folder / "nlq.yaml"
    file.write_text(f"endpoints:\n  - id: translated\n    data: [builtin:sample]{index}\n")
    gateway = Pipeline(load(file))
    gateway.endpoint(None).prepare()
    return gateway


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    with closing(opened(tmp_path_factory.mktemp("plain"), None)) as gateway:
        yield gateway


@pytest.fixture(scope="module")
def multilingual(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    with closing(opened(tmp_path_factory.mktemp("multilingual"), model)) as gateway:
        yield gateway


def test_the_vectors_are_the_models_own(model: Path) -> None:
    embedder = embedder_at(str(model))
    vectors = embedder.encode(["gedreht", "directed", "film", "", "\ud800"])
    assert vectors.shape == (5, WIDTH)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors[:3], axis=1) == pytest.approx(1, abs=1e-6)
    assert float(vectors[0] @ vectors[1]) == pytest.approx(1, abs=1e-6)
    assert float(vectors[1] @ vectors[2]) < 0.5
    # The mean of the words' vectors, which have about the same length.
    assert float(embedder.encode(["directed film"])[0] @ vectors[1]) == pytest.approx(0.72, abs=0.1)
    assert (embedder.encode(["directed"] * 600) - vectors[1]).max() < 1e-6


def test_threads_and_endpoints_share_one_model(model: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        models = list(threads.map(lambda _: embedder_at(str(model)), range(4)))
        assert len(set(map(id, models))) == 1
        texts = ["directed " * (number % 9) + "film" for number in range(40)]
        found = list(threads.map(lambda text: models[0].encode([text])[0], texts))
    assert np.abs(np.stack(found) - SentenceModel(str(model)).encode(texts)).max() < 1e-6
    assert embedder_at(None) is embedder_at(None)


def test_a_changed_model_has_another_name(model: Path, tmp_path: Path) -> None:
    copied, changed = tmp_path / "a" / model.name, tmp_path / "b" / model.name
    for folder in (copied, changed):
        shutil.copytree(model, folder)
    config = changed / "1_Pooling" / "config.json"
    config.write_text(config.read_text().replace("mean_tokens", "max_tokens"))
    assert embedder_at(str(copied)).name == embedder_at(str(model)).name
    assert embedder_at(str(changed)).name != embedder_at(str(model)).name


def test_a_changed_setting_builds_the_index_again_once(
    plain: Pipeline, multilingual: Pipeline, model: Path, tmp_path: Path
) -> None:
    before, after = (gateway.endpoint(None).index for gateway in (plain, multilingual))
    assert before.folder != after.folder
    assert before.folder.parent == after.folder.parent
    assert before.manifest.embedding == MiniLM.name
    assert after.manifest.embedding == embedder_at(str(model)).name
    assert after.schema_vectors.shape == (len(after.schema_texts), WIDTH)
    assert any(after.manifest.embedding in line for line in facts(after.manifest))
    for setting, index in ((None, before), (model, after)):
        with closing(opened(tmp_path, setting)) as again:
            assert again.endpoint(None).index.folder == index.folder


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Welche Filme hat Stanley Kubrick gedreht?", "de"),
        ("Mitkä elokuvat Stanley Kubrick ohjasi?", "fi"),
    ],
)
def test_questions_in_other_languages_are_answered_by_the_words_meaning(
    plain: Pipeline, multilingual: Pipeline, question: str, language: str
) -> None:
    found = multilingual.ask(Ask(question, language=language))
    assert found.program is not None
    relations = [step.inputs for step in found.program.steps if step.function == "Relate"]
    assert relations == [("directed by", "backward")]
    assert found.answer is not None
    assert len(found.answer.values) == 2
    without = plain.ask(Ask(question, language=language, guess=True))
    assert without.program is None or ("directed by", "backward") not in {
        step.inputs for step in without.program.steps
    }


def test_the_drafter_reads_by_the_model_that_it_learned_with(plain: Pipeline, multilingual: Pipeline) -> None:
    index = plain.endpoint(None).index
    for text in ("Who directed Pulp Fiction?", "How many rivers are longer than 1000 km?"):
        reading = QuestionReading.of(Linker(index).link(Question(text)), index)
        expected, found = (
            Drafter(gateway.endpoint(None).index).draft(reading) for gateway in (plain, multilingual)
        )
        assert [one.program for one in found] == [one.program for one in expected]
        assert [one.score for one in found] == pytest.approx([one.score for one in expected], abs=1e-3)


def test_english_questions_are_answered_as_before(multilingual: Pipeline) -> None:
    found = multilingual.ask(Ask("Who directed Pulp Fiction?"))
    assert found.answer is not None
    assert [one.label for one in found.answer.values] == ["Quentin Tarantino"]


@pytest.mark.parametrize("lacks", ["modules.json", "model.safetensors", "1_Pooling", "config.json"])
def test_a_model_that_is_not_whole_is_refused(model: Path, tmp_path: Path, lacks: str) -> None:
    shutil.copytree(model, tmp_path / "tiny")
    lost = tmp_path / "tiny" / lacks
    shutil.rmtree(lost) if lost.is_dir() else lost.unlink()
    with pytest.raises(ConfigurationError, match=r"the embedding model .*tiny") as caught:
        opened(tmp_path, tmp_path / "tiny")
    assert "`index.embedding`" in caught.value.hint


def test_cut_weights_are_refused(model: Path, tmp_path: Path) -> None:
    shutil.copytree(model, tmp_path / "tiny")
    weights = tmp_path / "tiny" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(ConfigurationError, match="cannot be opened"):
        embedder_at(str(tmp_path / "tiny"))
