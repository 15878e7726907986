#!/bin/bash
# Installs Slurm and munge, which `npm test -- slurm` starts on one host, on Debian and Ubuntu, from the machine's own apt sources.
#
#   scripts/setup-slurm.sh [--optional]
#
# Does nothing where they are installed already. No daemon is started. With --optional a machine
# on which this is not possible is told what to do, and the exit status is 0.
set -euo pipefail

readonly packages=(slurmctld slurmd slurm-client munge)

optional=false
case ${1:-} in
  "") ;;
  --optional) optional=true ;;
  *)
    echo "usage: $0 [--optional]" >&2
    exit 2
    ;;
esac

note() { echo "setup-slurm: $*" >&2; }

give_up() {
  note "$*"
  note "Slurm is not installed; to install it: ${packages[*]} by your package manager"
  if $optional; then exit 0; else exit 1; fi
}

installed() {
  local program
  for program in slurmctld slurmd sbatch munged; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null || return 1
  done
}

installed && exit 0
if ! command -v apt-get >/dev/null; then give_up "no apt-get here"; fi
((EUID == 0)) || give_up "installing packages needs root: sudo $0"

apt() {
  env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes -o DPkg::Lock::Timeout=300 "$@" >&2
}

# Packages ask this program whether they may start their daemons.
readonly policy=/usr/sbin/policy-rc.d
if [[ ! -e $policy ]]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
fi

apt update || note "apt-get update reported errors; going on with the lists there are"
apt install --no-install-recommends "${packages[@]}" || give_up "apt-get install failed"
installed || give_up "apt-get installed no slurmctld"
note "Slurm is installed"
