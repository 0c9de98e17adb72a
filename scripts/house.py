"""The structure of the packages, measured from their imports: `make house`.

A room is a package below `nlq_gateway`, or another package of the tree. An arrow is an import of one room by
another. The command fails if a bound is exceeded.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("compilers", "connectors", "nlq_gateway")
ALL = (*PRODUCT, "benchmarks", "training")
MOST_ROOMS, MOST_ARROWS, MOST_LINES, MOST_IN_A_MODULE = 20, 130, 88735, 500

Arrows = Mapping[str, set[str]]


def room_of(module: str) -> str:
    """The room of a module."""
    parts = module.split(".")
    return ".".join(parts[:2] if parts[0] == "nlq_gateway" else parts[:1])


def arrows_of(graph: grimp.ImportGraph) -> Arrows:
    """The rooms that each room imports."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for module in graph.modules:
        room = room_of(module)
        found[room] |= {room_of(one) for one in graph.find_modules_directly_imported_by(module)} - {room}
    return found


def floors_of(arrows: Arrows) -> Mapping[str, int]:
    """The height of each room: the longest chain of imports below it, itself included."""

    @cache
    def floor(room: str) -> int:
        return 1 + max(map(floor, arrows[room]), default=0)

    return {room: floor(room) for room in arrows}


def lines_of(file: Path) -> int:
    """The lines of a file."""
    return len(file.read_text(encoding="utf-8").splitlines())


def product_files() -> Iterator[Path]:
    """The modules that are shipped."""
    for package in PRODUCT:
        yield from sorted((ROOT / package).rglob("*.py"))


def problems(arrows: Arrows, loose: Iterable[str], sizes: Mapping[Path, int]) -> Iterator[str]:
    """Describe each exceeded bound."""
    number = sum(map(len, arrows.values()))
    if len(arrows) > MOST_ROOMS:
        yield f"{len(arrows)} packages, more than {MOST_ROOMS}: put the new one into another"
    if number > MOST_ARROWS:
        yield f"{number} imports, more than {MOST_ARROWS}: remove the new import between packages"
    for module in loose:
        yield f"{module} is in no package: put it into one"
    if sum(sizes.values()) > MOST_LINES:
        yield f"{sum(sizes.values())} lines, more than {MOST_LINES}: delete unused code"
    for file, size in sizes.items():
        if size > MOST_IN_A_MODULE:
            yield f"{file} has {size} lines, more than {MOST_IN_A_MODULE}: split it"


def main() -> int:
    """Print the packages; 1 if a bound is exceeded."""
    sys.path.insert(0, str(ROOT))
    # The package itself and its command only import its parts.
    doors = {"nlq_gateway", "nlq_gateway.__main__"}
    graph = grimp.build_graph(*ALL)
    arrows = {room: to - doors for room, to in arrows_of(graph).items() if room not in doors}
    floors = floors_of(arrows)
    sizes = {file.relative_to(ROOT): lines_of(file) for file in product_files()}
    loose = [file.stem for file in (ROOT / "nlq_gateway").glob("*.py") if not file.stem.startswith("__")]
    for room in sorted(arrows, key=lambda one: (-floors[one], one)):
        print(f"level {floors[room]:>2}  {room.removeprefix('nlq_gateway.'):<12} -> {_names(arrows[room])}")
    print(
        f"\n{len(arrows)} packages, {max(floors.values())} levels, {sum(map(len, arrows.values()))} imports, "
        f"{len(loose)} loose modules, {sum(sizes.values())} lines, the longest module {max(sizes.values())}"
    )
    found = list(problems(arrows, loose, sizes))
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


def _names(rooms: Iterable[str]) -> str:
    return ", ".join(sorted(room.removeprefix("nlq_gateway.") for room in rooms))


if __name__ == "__main__":
    sys.exit(main())
