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
readonly missing="to build all native tables: ${packages[*]} and Boost 1.83 or newer,"
scripts=$(dirname "$0")
readonly scripts
# shellcheck source=scripts/setup-common.sh
source "$scripts/setup-common.sh"

installed() {
  local program
  for program in "${programs[@]}"; do
    command -v "$program" >/dev/null || return 1
  done
  # Looked for, and not compiled, which takes seconds. Boost has the last one since 1.83.
  echo '#if !__has_include(<libcuckoo/cuckoohash_map.hh>) || !__has_include(<oneapi/tbb/concurrent_hash_map.h>) || \
          !__has_include(<boost/unordered/concurrent_flat_map.hpp>)
        #error
        #endif' | g++ -std=c++17 -E -x c++ - >/dev/null 2>&1
}

installed && exit 0
need_root
apt_update
apt_install "${packages[@]}"
installed && exit 0
own=$(candidate libboost-dev)
if [[ -n $own ]] && dpkg --compare-versions "$own" ge 1.83; then
  apt_install libboost-dev
else
  # Boost alone: nothing else may come from there.
  from=$("$scripts/setup-software.sh" --print-backports)
  [[ -e $added ]] || echo "$from" | "${root[@]}" tee "$added" >/dev/null
  apt_update
  apt_install --target-release "$(awk '{ print $(NF - 1) }' <<<"$from")" "$boost"
fi
installed || give_up "the packages are there, and their headers are not"
note "what native tables are built with is installed"
