#!/usr/bin/env bash
# Builds the page's editor from page/ into the static files that ship with the package. Needs Node.js with npm.
#   scripts/build_page.sh          writes nlq_gateway/edges/http/static/vendor/
#   scripts/build_page.sh --check  fails where a build gives other bytes; passes over it, and says so, without npm
set -euo pipefail
cd "$(dirname "$0")/.."
kept=nlq_gateway/edges/http/static/vendor

check=false
[ "${1:-}" != --check ] || check=true
if ! command -v npm >/dev/null; then
  echo "npm is not installed (apt-get install npm)" >&2
  $check && exit 0
  exit 1
fi

built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
(
  cd page
  npm ci --silent
  # The sum ties the built file to its sources where there is no npm: tests/page/test_editor_build.py compares it.
  sum=$(find . -name '*.js' -not -path './node_modules/*' | LC_ALL=C sort | xargs cat package-lock.json | sha256sum | cut -d ' ' -f 1)
  node_modules/.bin/esbuild editor.js --bundle --format=esm --target=es2022 --minify --charset=utf8 \
    --legal-comments=none --log-level=warning --outfile="$built/editor.js" \
    --banner:js="// Built by scripts/build_page.sh from page/, sha256 $sum. Licences: editor.LICENSES.txt"
  find node_modules -iname 'licen[cs]e*' -not -path '*esbuild*' | LC_ALL=C sort | while read -r licence; do
    name=${licence#node_modules/}
    printf '== %s\n\n%s\n\n' "${name%/*}" "$(tr -d '\r' <"$licence")"
  done >"$built/editor.LICENSES.txt"
)
if $check; then
  diff --brief --recursive "$built" "$kept"
  echo "the built editor is what its sources give"
else
  mkdir -p "$kept"
  cp "$built"/* "$kept"
fi
