from __future__ import annotations

import gzip
import tarfile
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture(scope="session")
def kennel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in the form of the benchmarks', with one small graph."""
    folder = tmp_path_factory.mktemp("data") / "spider4sparql"
    folder.mkdir()
    pairs = (FIXTURES / "kennel.pairs.jsonl").read_bytes()
    (folder / "train.pairs.jsonl.gz").write_bytes(gzip.compress(pairs))
    reworded = pairs.splitlines()[0].replace(b"pets are older than", b"animals have an age above")
    (folder.parent / "spider-syn").mkdir()
    (folder.parent / "spider-syn" / "train.pairs.jsonl.gz").write_bytes(gzip.compress(reworded))
    with tarfile.open(folder / "train_kgs.tar.xz", "w:xz") as archive:
        archive.add(FIXTURES / "kennel.nt", "graphs/kennel.nt")
    return folder
