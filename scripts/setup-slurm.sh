#!/bin/bash
# Installs Slurm and munge, which `npm test -- slurm` starts on one host, on Debian and Ubuntu, from the machine's own apt sources.
#
#   scripts/setup-slurm.sh [--optional]
#
# Does nothing where they are installed already. No daemon is started. With --optional a machine
# on which this is not possible is told what to do, and the exit status is 0.
set -euo pipefail

readonly packages=(slurmctld slurmd slurm-client munge)
readonly missing="Slurm is not installed; to install it: ${packages[*]}"
# shellcheck source=scripts/setup-common.sh
source "$(dirname "$0")/setup-common.sh"

installed() {
  local program
  for program in slurmctld slurmd sbatch munged; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null || return 1
  done
}

installed && exit 0
need_root

# Packages ask this program whether they may start their daemons.
readonly policy=/usr/sbin/policy-rc.d
if [[ ! -e $policy ]]; then
  trap '"${root[@]}" rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' | "${root[@]}" tee "$policy" >/dev/null
  "${root[@]}" chmod +x "$policy"
fi

apt_update
apt_install "${packages[@]}"
installed || give_up "apt-get installed no slurmctld"
note "Slurm is installed"
