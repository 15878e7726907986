#!/bin/bash
# The files beside this one against a real Slurm: a controller and two nodes, all on this host, without systemd or cgroups.
#
#   scripts/slurm/test.sh
#
# An array of four shards is submitted on the software adapter, one task is requeued in the middle, and the merge is compared with an
# unsharded run, cell by cell. Prints a line for each check, `ok …` or `not ok …`. Needs root, Slurm and munge (scripts/setup-slurm.sh).
# Everything lies in a temporary folder, and every daemon is ended by its process number, on any exit.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly root shards=4 requeued=2
readonly experiments=(tables/load-factor --device lavapipe --tables bucketed,cuckoo --load-factor 0.8
  --n 20000 --max-noise 0.9 --min-time 0.5)
export PATH=$PATH:/usr/sbin:/sbin
# One thread a process: two tasks have a core each, and counters do not depend on which lane wins a race.
export LP_NUM_THREADS=1

work=$(mktemp -d "${TMPDIR:-/tmp}/hashbench-slurm.XXXXXX")
daemons=()

clean_up() {
  # Tasks that still run, first: they are children of slurmd's step daemons, not of ours.
  [[ -e $work/started ]] && scancel --quiet --full --user=root 2>/dev/null && sleep 1
  for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null; done
  for pid in "${daemons[@]}"; do
    for _ in {1..50}; do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -KILL "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
  done
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

failed=0
check() { # WHAT COMMAND…: one line
  local what=$1
  shift
  if "$@"; then echo "ok $what"; else
    echo "not ok $what"
    failed=1
  fi
}

give_up() {
  echo "not ok $*"
  squeue --all --long 2>/dev/null
  tail -n 20 "$work"/*.log "$work"/sweep/logs/*.log 2>/dev/null
  exit 1
}

# within SECONDS COMMAND…: until the command succeeds, or so long.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.1
  done
}

# Keeps the daemon in the foreground as our child, so that its number is known.
start() { # NAME COMMAND…
  local name=$1
  shift
  "$@" >"$work/$name.out" 2>&1 &
  daemons+=($!)
}

free_ports() { # COUNT
  node -e '
    const servers = Array.from({ length: Number(process.argv[1]) }, () => require("node:net").createServer().listen(0, "127.0.0.1"));
    Promise.all(servers.map((one) => new Promise((resolve) => one.on("listening", () => resolve(one.address().port))))).then((ports) => {
      console.log(ports.join(" "));
      for (const one of servers) one.close();
    });' "$1"
}

# A Slurm

read -r controller_port port1 port2 < <(free_ports 3)
host=$(hostname -s)
mkdir -m 755 "$work/munge" "$work/state"
chmod 755 "$work"
(umask 077 && head -c 1024 /dev/urandom >"$work/munge/key")
cat >"$work/slurm.conf" <<CONF
ClusterName=hashbench-test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$controller_port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool.%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=30
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$port1 CPUs=1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$port2 CPUs=1
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
export SLURM_CONF=$work/slurm.conf

start munged munged --foreground --force --num-threads=2 --key-file="$work/munge/key" --socket="$work/munge/socket" \
  --pid-file="$work/munge/pid" --log-file="$work/munged.log" --seed-file="$work/munge/seed"
within 120 test -S "$work/munge/socket" || give_up "munged does not start"
start slurmctld slurmctld -D -f "$SLURM_CONF"
start slurmd1 slurmd -D -N n1 -f "$SLURM_CONF"
start slurmd2 slurmd -D -N n2 -f "$SLURM_CONF"
idle_nodes() { [[ $(sinfo --noheader --states=idle --format=%D 2>/dev/null) == 2 ]]; }
within 120 idle_nodes || give_up "the nodes do not become idle"
touch "$work/started"

# The sweep

# The task that is to be interrupted waits for it, after its first cell.
export NODE_OPTIONS="--import=file://$root/bench/cli/e2e/fixtures/stop-at.mjs" HASHBENCH_STOP_AT='^\[1/' HASHBENCH_STOP_TASK=$requeued
fields() { scontrol --oneliner show job "$1" 2>/dev/null; }
said=$("$root/scripts/slurm/submit.sh" "$work/sweep" $shards -- "${experiments[@]}" 2>&1) || give_up "submit.sh: $said"
array=$(sed -n 's/^shards: job \([0-9]*\),.*/\1/p' <<<"$said")
merging=$(sed -n 's/^merge:  job \([0-9]*\),.*/\1/p' <<<"$said")
check "submit.sh prints both jobs and the merged folder" \
  test -n "$array" -a -n "$merging" -a "$(sed -n 's/^merged: //p' <<<"$said")" = "$work/sweep/merged"

unset NODE_OPTIONS

# Beyond the header and the rows of a first cell.
has_cells() { [[ $(cat "$1"/tables/*.samples.jsonl 2>/dev/null | wc -l) -ge 1 ]]; }
own=$work/sweep/shards/$requeued
within 240 has_cells "$own" || give_up "the shard that is to be interrupted does not begin"
scontrol requeue "${array}_$requeued" || give_up "scontrol requeue"
# Slurm has it wait for two minutes, for the credential of the first attempt to expire.
begin_now() { [[ $(fields "${array}_$requeued") == *JobState=PENDING* ]] && scontrol update job="${array}_$requeued" StartTime=now; }
within 120 begin_now || give_up "the requeued task is not pending"

ended() { [[ $(fields "$1") =~ JobState=(COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL) ]]; }
within 600 ended "$merging" || give_up "the merging job does not end"

check "the merging job, after all tasks, succeeded" grep -q "JobState=COMPLETED" <<<"$(fields "$merging")"
check "the task that was requeued ran twice" grep -q "Restarts=1" <<<"$(fields "${array}_$requeued")"
check "it said that it was interrupted" grep -q "hashbench: interrupted" "$work/sweep/logs/shard-$requeued.log"
check "it went on in its own folder" node -e '
  const runs = Object.keys(JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")));
  process.exit(runs.length === 2 ? 0 : 1);' "$own/environment.json"
check "no shard is named as unfinished" test "$(grep -c "^hashbench: " "$work/sweep/logs/merge.log")" = 0

node "$root/dist/bench/cli/main.js" run "${experiments[@]}" --no-plots --out "$work/whole" >"$work/whole.log" 2>&1 || give_up "the unsharded run"
check "the merge has the cells, inputs and counters of the unsharded run" \
  node "$root/scripts/slurm/same-cells.mjs" "$work/sweep/merged" "$work/whole"

# What is missing

rm -r "$work/sweep/shards/3"
said=$(SLURM_CONF=$SLURM_CONF bash "$root/scripts/slurm/merge.sbatch" "$root" "$work/sweep" 2>&1)
check "without a shard the merge is an answer no that names it" \
  test "$? $said" = "1 hashbench: shard 3 of $shards is missing; --partial merges the others"

exit $failed
