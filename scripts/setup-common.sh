# shellcheck shell=bash
# Sourced by the setup-*.sh beside it: their one option, what they say, and apt-get as root. They set `missing`, which ends the line that
# says what to install by hand.

self=$(basename "$0" .sh)
optional=false
case ${1:-} in
  "") ;;
  --optional) optional=true ;;
  *)
    echo "usage: $0 [--optional]" >&2
    exit 2
    ;;
esac

note() { echo "$self: $*" >&2; }

# give_up WHY: the end, where it cannot be installed from here.
give_up() {
  note "$*"
  note "${missing:?} by your package manager"
  if $optional; then exit 0; else exit 1; fi
}

candidate() { LC_ALL=C apt-cache policy "$1" | sed -n 's/^ *Candidate: //p'; }

# Sets `root`, what apt-get is run by. Where packages are optional, sudo is used unasked only in CI.
need_root() {
  command -v apt-get >/dev/null || give_up "no apt-get here"
  if ((EUID == 0)); then
    root=()
  elif { ! $optional || [[ -n ${CI:-} ]]; } && sudo -n true 2>/dev/null; then
    root=(sudo -n)
  else
    give_up "installing packages needs root: sudo $0"
  fi
}

apt() {
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes -o DPkg::Lock::Timeout=300 "$@" >&2
}

apt_update() { apt update || note "apt-get update reported errors; going on with the lists there are"; }

apt_install() { apt install --no-install-recommends "$@" || give_up "apt-get install failed"; }
