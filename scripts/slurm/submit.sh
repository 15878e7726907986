#!/bin/bash
# Submits a sweep to Slurm: an array of tasks, each of which measures a shard, and a job after them that merges the shards.
#
#   scripts/slurm/submit.sh <folder> <shards> [options of sbatch for the tasks] -- <experiments and options of run>
#   scripts/slurm/submit.sh sweep 8 --gpus=h100:1 --time=4:00:00 -- all --memory 60
#
# <folder> and this checkout have to be on a file system that all nodes share, and `node` in PATH. Name one kind of GPU: shards of
# different devices do not merge into one sweep. Where Slurm does not keep tasks off one another's GPUs (ConstrainDevices), or to
# have no neighbours at all, add --exclusive. Account, partition and the like of both jobs: SBATCH_ACCOUNT, SBATCH_PARTITION.
#
# A task that was preempted, requeued or killed leaves a folder that the next one goes on in. So where some tasks ran out of time, the
# same command again measures what they lack, and merges anew.
set -euo pipefail

usage() {
  sed -n 's/^#   /usage: /p' "$0" | head -n 1 >&2
  exit 2
}

(($# >= 3)) || usage
[[ $2 =~ ^[1-9][0-9]*$ ]] || usage
readonly shards=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1/logs"
folder=$(cd "$1" && pwd)
shift 2

options=()
while (($# > 0)) && [[ $1 != -- ]]; do
  options+=("$1")
  shift
done
[[ ${1:-} == -- ]] || usage
shift

readonly here=$root/scripts/slurm
submit() { sbatch --parsable --chdir="$folder" "$@" | cut -d ';' -f 1; }

array=$(submit --array="1-$shards" --output="$folder/logs/shard-%a.log" "${options[@]}" \
  "$here/shard.sbatch" "$root" "$folder" "$@")
# Afterany, not afterok: what some tasks have measured is looked at too. The job fails if shards are missing, and says which.
merging=$(submit --dependency="afterany:$array" --output="$folder/logs/merge.log" \
  "$here/merge.sbatch" "$root" "$folder")

echo "shards: job $array, tasks 1 to $shards, logs in $folder/logs"
echo "merge:  job $merging, after them"
echo "merged: $folder/merged"
