#!/usr/bin/env bash
# Runs a command repeatedly, alternately alone and beside four busy processes, and prints the failures.
#
#     stress.sh RUNS FOLDER COMMAND...
#
# RUNS is the number of runs of each kind. Their output goes to FOLDER. The exit status is 1 if a run failed. BUSY, if
# set, is a program that is run as each busy process, with its number, 1 to 4; otherwise they do nothing, in a loop.
set -uo pipefail
runs=$1 folder=$2
shift 2
mkdir -p "$folder"
rm -f "$folder"/*.log
busy=()
program=(bash -c 'while :; do :; done' busy)
[ -z "${BUSY:-}" ] || program=("$BUSY")
stop_busy() {
    for process in "${busy[@]}"; do
        kill -- "-$process" # Its process group: a command's children end with it.
        wait "$process"
    done 2>/dev/null
    busy=()
}
trap stop_busy EXIT
trap 'exit 130' INT TERM
failed=0
for ((run = 1; run <= runs; run++)); do
    for kind in alone beside-busy; do
        if [ "$kind" = beside-busy ]; then
            # In process groups of their own, but in this session: the kernel shares out the processors by session
            # (sched(7), autogroup), and a test's many threads have as much as a busy process each.
            set -m
            for number in 1 2 3 4; do
                "${program[@]}" "$number" &
                busy+=($!)
            done
            set +m
        fi
        log=$folder/$kind-$(printf %02d "$run").log
        start=$SECONDS
        "$@" >"$log" 2>&1
        status=$?
        stop_busy
        echo "$kind $run/$runs: $((SECONDS - start)) s, exit status $status: $(grep -a 'Test run with' "$log" | tail -n 1)"
        if [ "$status" != 0 ]; then
            failed=$((failed + 1))
            grep -aE '✘|rror:' "$log" | head -n 20
            [ "$status" -lt 128 ] || tail -n 20 "$log"
        fi
    done
done
echo "$failed of $((2 * runs)) runs failed; their output is in $folder"
[ "$failed" = 0 ]
