#!/bin/sh
# Says why installing the base packages failed. Usage: explain_install.sh PYTHON
python=$1
say() { printf '\n%s\n' "$*" >&2; }

say "The installation failed; pip's own words are above."
if ! command -v g++ >/dev/null && ! command -v c++ >/dev/null; then
  say "hnswlib is compiled during the installation, and there is no C++ compiler here: apt-get install g++"
fi
if ! "$python" -c 'import os, sysconfig as s; raise SystemExit(not os.path.exists(s.get_path("include") + "/Python.h"))'; then
  say "hnswlib is compiled during the installation, and Python's headers are missing: apt-get install python3-dev"
fi
if ! "$python" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))'; then
  say "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 ..."
fi
