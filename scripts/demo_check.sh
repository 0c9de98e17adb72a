#!/usr/bin/env bash
# Starts the demo, waits until it is ready, asks one question, stops it. Usage: scripts/demo_check.sh [PORT]
set -euo pipefail
cd "$(dirname "$0")/.."

port=${1:-8099}
question=${QUESTION:-How many films are there?}
base=http://127.0.0.1:$port
ready_seconds=60
work=$(mktemp -d)

fail() {
  tail -n 40 "$work/log" >&2
  echo "demo: $*" >&2
  exit 1
}

if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
  echo "demo: port $port is taken by another program; choose one: scripts/demo_check.sh PORT" >&2
  exit 1
fi

started=$EPOCHREALTIME
"${VENV:-.venv}/bin/nlq" demo --port "$port" >"$work/log" 2>&1 </dev/null &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$work"' EXIT

deadline=$((SECONDS + ready_seconds))
until curl -fsS -o /dev/null --max-time 2 "$base/readyz" 2>/dev/null; do
  kill -0 "$server" 2>/dev/null || fail "the server ended before it was ready; its log is above"
  ((SECONDS < deadline)) || fail "the server was not ready after $ready_seconds s; its log is above"
  sleep 0.2
done
echo "demo: ready after $(awk -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.1f", b - a}') s"

code=$(curl -sS --max-time 60 -o "$work/answer" -w '%{http_code}' "$base/nlq" \
  -H 'Content-Type: application/json' -H 'Accept: application/json' \
  --data-binary "$(QUESTION=$question "${VENV:-.venv}/bin/python" -c \
    'import json, os; print(json.dumps({"question": os.environ["QUESTION"]}))')")
[ "$code" = 200 ] || { cat "$work/answer" >&2; fail "/nlq answered HTTP $code"; }
"${VENV:-.venv}/bin/python" - "$work/answer" <<'PY' || { cat "$work/answer" >&2; fail "/nlq gave no answer"; }
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    reply = json.load(file)
print("demo:", reply["question"], "->", reply["status"] + ":", reply["answer"]["text"])
raise SystemExit(reply["status"] != "answered")
PY
