"""The SPARQL editor that ships with the page is what its sources give."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from canned_gateway import STATIC

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "page"
EDITOR = STATIC / "vendor" / "editor.js"


def test_the_built_editor_is_of_these_sources() -> None:
    """Whoever changes a source or a version builds anew; needs no npm to be seen."""
    scripts = (path.relative_to(SOURCES) for path in SOURCES.rglob("*.js"))
    own = sorted(str(path) for path in scripts if path.parts[0] != "node_modules")
    sources = b"".join((SOURCES / name).read_bytes() for name in ("package-lock.json", *own))
    head = EDITOR.read_text(encoding="utf-8").split("\n", 1)[0]
    assert f"sha256 {hashlib.sha256(sources).hexdigest()}" in head, "run scripts/build_page.sh"


def test_every_library_in_it_has_its_licence() -> None:
    """All that the lock file installs for the editor, and nothing of what only builds it."""
    packages = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    kept = (name for name, entry in packages.items() if name and not entry.get("dev"))
    shipped = {name.removeprefix("node_modules/") for name in kept}
    licences = (EDITOR.parent / "editor.LICENSES.txt").read_text(encoding="utf-8")
    assert set(re.findall(r"^== (.+)$", licences, flags=re.MULTILINE)) == shipped
    apache = licences.count("TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION")
    assert (licences.count("Permission is hereby granted"), apache) == (len(shipped) - 1, 1)


def test_the_lock_file_names_no_host() -> None:
    """Whichever registry npm is set to serves the packages."""
    text = (SOURCES / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in text
    assert "://" not in text


def test_without_npm_the_check_is_passed_over(tmp_path: Path) -> None:
    """It says so; a build without npm is refused."""
    for tool in ("bash", "dirname"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or "/bin/false")
    script = ROOT / "scripts" / "build_page.sh"
    for arguments, status in ((["--check"], 0), ([], 1)):
        done = subprocess.run(
            [script, *arguments], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
        )
        assert (done.returncode, "npm is not installed" in done.stderr) == (status, True)


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
@pytest.mark.skipif("CI" not in os.environ, reason="fetches packages; runs where CI is set")
def test_a_rebuild_gives_the_same_bytes() -> None:
    """The script itself compares."""
    subprocess.run([ROOT / "scripts" / "build_page.sh", "--check"], check=True)
