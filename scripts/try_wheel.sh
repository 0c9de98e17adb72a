#!/usr/bin/env bash
# Builds the wheel, installs it into an empty environment, and asks a question there, away from the repository.
# Usage: scripts/try_wheel.sh [PYTHON]
set -euo pipefail
cd "$(dirname "$0")/.."

python=${1:-.venv/bin/python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 NLQ_CACHE=$work/cache NLQ_DATA=$work/data
unset PYTHONPATH

# What an earlier build left in build/ would get into the wheel: it is made from a copy.
cp -r compilers connectors nlq_gateway pyproject.toml README.md LICENSE NOTICE "$work/"
"$python" -m pip wheel --quiet --no-deps --build-constraint constraints.txt --wheel-dir "$work/wheel" "$work"
"$python" -m venv --without-pip "$work/venv"
"$python" -m pip --python "$work/venv" install --quiet --constraint constraints.txt \
  --build-constraint constraints.txt "$work"/wheel/*.whl

mkdir "$work/elsewhere"
cd "$work/elsewhere"
cat >films.ttl <<'TTL'
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Film a rdfs:Class ; rdfs:label "film" .
:Person a rdfs:Class ; rdfs:label "person" .
:director rdfs:label "director" .
:Fargo a :Film ; rdfs:label "Fargo" ; :director :Joel_Coen .
:Alien a :Film ; rdfs:label "Alien" ; :director :Ridley_Scott .
:Joel_Coen a :Person ; rdfs:label "Joel Coen" .
:Ridley_Scott a :Person ; rdfs:label "Ridley Scott" .
TTL
du -h "$work"/wheel/*.whl | awk '{print "wheel: " $1}'
"$work/venv/bin/nlq" ask --data films.ttl "Who directed Fargo?" | tee answer
grep -q "Joel Coen" answer || { echo "wheel: the installed package did not answer" >&2; exit 1; }
