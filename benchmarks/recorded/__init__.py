"""Questions with the replies of a strong general model, and the gateway's results for its programs.

sets.py    the recorded questions and their graphs
merged.py  one graph of many, whose schema is far too large for a prompt
record.py  asks a model for its first program of each question, and stores the replies
replay.py  a model with recorded replies
measure.py accuracy of these programs, and of the gateway's answers with them
arbitration.py  the thresholds by which `auto` chooses between the model's answer and that without it
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.answers import DATA
from benchmarks.recorded import arbitration
from benchmarks.recorded.measure import LOOKS, WAYS, Outcome, outcomes
from benchmarks.recorded.record import REPLIES, read_replies, record
from benchmarks.recorded.sets import sets

STORES = ("oxigraph", "fuseki", "virtuoso")
_LOOKS_ROW = "{:<14} {:>5} {:>9} {:>7} {:>9} {:>7} {:>6} {:>5}"
_ROW = "{:<14} {:>5} {:>8} {:>9}" + " {:>7} {:>7}" * len(WAYS) + " {:>5} {:>9} {:>7}"


def main(arguments: Sequence[str]) -> None:
    """Print the table, or record missing replies."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks recorded", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument("--only", nargs="+", help="names of sets; all of them")
    parser.add_argument("--record", metavar="URL", help="ask this server for missing replies")
    parser.add_argument("--store", choices=STORES, help="replay over graphs in this store of `make stores`")
    parser.add_argument("--details", type=Path, help="write a line for each question to this file")
    parser.add_argument("--arbitration", action="store_true", help="print results for thresholds of `auto`")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        found = [one for one in sets(options.data, Path(folder)) if one.name in (options.only or [one.name])]
        if options.store:
            found = [one.within(options.store) for one in found]
        if options.record:
            record(found, options.record)
            return
        ways = arbitration.WAYS if options.arbitration else tuple(WAYS)
        made = list(outcomes(found, read_replies(REPLIES), ways))
    if options.details:
        lines = (json.dumps(asdict(one)) for one in made)
        options.details.write_text("\n".join(lines) + "\n", encoding="utf-8")
    looked = [one for one in made if LOOKS.keys() <= one.scores.keys()]
    others = [one for one in made if one not in looked]
    if options.arbitration:
        print(arbitration.shown(others))
        return
    if others or not looked:
        _print(others)
    if looked:
        _print_looks(looked)


def _print(made: Sequence[Outcome]) -> None:
    print("Replies of a strong general model to one prompt each, replayed\n")
    shown = [f"{way}{what}" for way in WAYS for what in ("", " F1")]
    print(_ROW.format("set", "n", "faults", "repaired", *shown, "lost", "withheld", "spoken"))
    for name in dict.fromkeys(one.set for one in made):
        print(_row(name, [one for one in made if one.set == name]), flush=True)
    if not made:
        print("the benchmark data is not here: name its folder with --data")
    print()


def _print_looks(made: Sequence[Outcome]) -> None:
    """Print one shot with the part of the schema that fits a prompt, beside looks at the graph after it."""
    print("Dialogues of a strong general model by the strategy explore, replayed\n")
    print(_LOOKS_ROW.format("set", "n", "one shot", "F1", "explored", "F1", "calls", "most"))
    for name in dict.fromkeys(one.set for one in made):
        found = [one for one in made if one.set == name]
        scores = [[one.scores[way][at] for one in found] for way in LOOKS for at in (0, 1)]
        quality = [f"{sum(each) / len(found):.3f}" for each in scores]
        calls = [one.calls for one in found]
        print(_LOOKS_ROW.format(name, len(found), *quality, f"{sum(calls) / len(found):.1f}", max(calls)))
    print()


def _row(name: str, made: Sequence[Outcome]) -> str:
    n = len(made)
    faults = [sum(not one.sound for one in made), sum(not one.repaired for one in made)]
    quality = [f"{sum(one.scores[way][at] for one in made) / n:.3f}" for way in WAYS for at in (0, 1)]
    lost = [one for one in made if one.scores["only"][0] == 1 and one.scores["auto"][0] < 1]
    withheld = [one for one in lost if not one.answered["auto"]]
    spoken = [one.spoken["auto"] for one in made if one.spoken]
    said = f"{sum(spoken)}/{len(spoken)}" if spoken else "-"
    return _ROW.format(name, n, *faults, *quality, len(lost), len(withheld), said)
