#!/bin/bash
# Installs what `npm run native` builds with: CMake, a C++ compiler, libcuckoo, oneTBB and Boost, on Debian and Ubuntu.
#
#   scripts/setup-native.sh [--optional]
#
# Does nothing where they are installed already. Where the release's own Boost is older than 1.83 (Debian 12), it comes from the
# release's backports, fetched from the mirror that the machine's apt sources name. With --optional a machine on which this is not
# possible, or not wanted without asking, is told what to do, and the exit status is 0.
set -euo pipefail

readonly programs=(cmake g++ make)
readonly packages=(cmake g++ make libcuckoo-dev libtbb-dev)
readonly boost=libboost1.83-dev
readonly added=/etc/apt/sources.list.d/hashbench-backports.list
scripts=$(dirname "$0")
readonly scripts

optional=false
case ${1:-} in
  "") ;;
  --optional) optional=true ;;
  *)
    echo "usage: $0 [--optional]" >&2
    exit 2
    ;;
esac

note() { echo "setup-native: $*" >&2; }

give_up() {
  note "$*"
  note "to build all native tables: ${packages[*]} and Boost 1.83 or newer, by your package manager"
  if $optional; then exit 0; else exit 1; fi
}

installed() {
  local program
  for program in "${programs[@]}"; do
    command -v "$program" >/dev/null || return 1
  done
  echo '#include <libcuckoo/cuckoohash_map.hh>
        #include <oneapi/tbb/concurrent_hash_map.h>
        #include <boost/unordered/concurrent_flat_map.hpp>' | g++ -std=c++17 -fsyntax-only -x c++ - 2>/dev/null
}

candidate() { LC_ALL=C apt-cache policy "$1" | sed -n 's/^ *Candidate: //p'; }

installed && exit 0
if ! command -v apt-get >/dev/null; then give_up "no apt-get here"; fi
if ((EUID == 0)); then
  root=()
elif [[ -n ${CI:-} ]] && sudo -n true 2>/dev/null; then
  root=(sudo -n)
else
  give_up "installing packages needs root: sudo $0"
fi

apt() {
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes -o DPkg::Lock::Timeout=300 "$@" >&2
}

apt update || note "apt-get update reported errors; going on with the lists there are"
apt install --no-install-recommends "${packages[@]}" || give_up "apt-get install failed"
installed && exit 0
own=$(candidate libboost-dev)
if [[ -n $own ]] && dpkg --compare-versions "$own" ge 1.83; then
  apt install --no-install-recommends libboost-dev || give_up "apt-get install failed"
else
  # Boost alone: nothing else may come from there.
  from=$("$scripts/setup-software.sh" --print-backports)
  [[ -e $added ]] || echo "$from" | "${root[@]}" tee "$added" >/dev/null
  apt update || note "apt-get update reported errors; going on with the lists there are"
  apt install --no-install-recommends --target-release "$(awk '{ print $(NF - 1) }' <<<"$from")" "$boost" ||
    give_up "apt-get install failed"
fi
installed || give_up "the packages are there, and their headers are not"
note "what native tables are built with is installed"
