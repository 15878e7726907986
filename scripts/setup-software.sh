#!/bin/bash
# Installs Mesa's lavapipe, the Vulkan driver on the CPU that the tests run on, on Debian and Ubuntu.
#
#   scripts/setup-software.sh [--optional]
#
# Does nothing where it is installed already. Where the release's own Mesa is too old for Dawn (Debian 12), it comes from
# the release's backports, fetched from the mirror that the machine's apt sources name. With --optional a machine on
# which this is not possible, or not wanted without asking, is told what to do, and the exit status is 0.
set -euo pipefail

readonly oldest=24 # Mesa 22.3 lacks what Dawn requires.
readonly packages=(libvulkan1 mesa-vulkan-drivers)
readonly sources=${HASHBENCH_APT_SOURCES:-/etc/apt}
readonly added=hashbench-backports.list

readonly missing="lavapipe is not installed; to install it: ${packages[*]} (Mesa $oldest or newer)"
# shellcheck source=scripts/setup-common.sh
[[ ${1:-} == --print-backports ]] || source "$(dirname "$0")/setup-common.sh" # that is for setup-native.sh and the test

major() { sed -E 's/^([0-9]+:)?([0-9]+).*/\2/' <<<"$1"; }

new_enough() { [[ $1 =~ ^[0-9] ]] && (($(major "$1") >= oldest)); }

installed() {
  local version
  for package in "${packages[@]}"; do
    version=$(dpkg-query --show --showformat='${db:Status-Status} ${Version}' "$package" 2>/dev/null) || return 1
    [[ $version == "installed "* ]] || return 1
  done
  new_enough "${version#installed }" # of the last one, Mesa
}

# The first one-line or deb822 source of suite $1, as "[options] URI" for a one-line source.
mirror_of() {
  local files=()
  for file in "$sources"/sources.list "$sources"/sources.list.d/*.list "$sources"/sources.list.d/*.sources; do
    if [[ -r $file && $file != */$added ]]; then files+=("$file"); fi
  done
  ((${#files[@]} > 0)) || return 0
  awk -v suite="$1" '
    function end_stanza(   n, i, suites, uri) {
      n = split(field["suites"], suites, " ")
      split(field["uris"], uri, " ")
      for (i = 1; i <= n; i++) {
        if (suites[i] != suite || field["types"] !~ /(^| )deb( |$)/ || field["enabled"] ~ /^(no|false)/) continue
        key = field["signed-by"]
        delete field # END follows an exit
        print (key ~ /^\// ? "[signed-by=" key "] " : "") uri[1]
        exit
      }
      delete field
      name = ""
    }
    FNR == 1 { end_stanza(); deb822 = FILENAME ~ /\.sources$/ }
    /^[ \t]*#/ { next }
    !deb822 && $1 == "deb" {
      options = ""
      rest = $0
      sub(/^[ \t]*deb[ \t]+/, "", rest)
      if (match(rest, /^\[[^]]*\][ \t]*/)) {
        options = substr(rest, 1, RLENGTH)
        rest = substr(rest, RLENGTH + 1)
      }
      split(rest, word, /[ \t]+/)
      if (word[2] == suite) { print options word[1]; exit }
      next
    }
    deb822 && /^[ \t]*$/ { end_stanza(); next }
    deb822 && /^[ \t]/ { sub(/^[ \t]+/, " "); field[name] = field[name] $0; next }
    deb822 && match($0, /^[A-Za-z-]+:/) {
      name = tolower(substr($0, 1, RLENGTH - 1))
      value = substr($0, RLENGTH + 1)
      gsub(/^[ \t]+|[ \t]+$/, "", value)
      field[name] = value
    }
    END { end_stanza() }
  ' "${files[@]}" | head -n 1
}

# os_release NAME: a value of /etc/os-release, or nothing.
os_release() { sed -n "s/^$1=\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" /etc/os-release 2>/dev/null || true; }

codename=$(os_release VERSION_CODENAME)

if [[ ${1:-} == --print-backports ]]; then
  codename=${2:-$codename}
  echo "deb $(mirror_of "$codename") $codename-backports main"
  exit 0
fi

[[ $(uname -s) == Linux ]] || { $optional && exit 0; give_up "only for Linux"; }
installed && exit 0
need_root
apt_update
from=()
if ! new_enough "$(candidate mesa-vulkan-drivers)"; then
  [[ $(os_release ID) == debian ]] || give_up "Mesa $(candidate mesa-vulkan-drivers) is too old for Dawn"
  mirror=$(mirror_of "$codename")
  [[ -n $mirror ]] || give_up "no apt source for $codename was found"
  echo "deb $mirror $codename-backports main" | "${root[@]}" tee "$sources/sources.list.d/$added" >/dev/null
  apt_update
  from=(--target-release "$codename-backports")
fi
apt_install "${from[@]}" "${packages[@]}"
installed || give_up "Mesa $(candidate mesa-vulkan-drivers) is too old for Dawn"
note "lavapipe is installed"
