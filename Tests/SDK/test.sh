#!/usr/bin/env bash
# Builds the program in this folder with an installed CoreLocation, and runs it: from nothing, with touched packages, with
# changed ones, with a grant, and with the static runtime.
#
#     test.sh TOOLSET LOCATIOND LOCATIONCTL
set -euo pipefail
toolset=$1 locationd=$2 locationctl=$3
folder=$(mktemp -d)
trap 'kill "${daemon:-}" 2>/dev/null; wait; rm -rf "$folder"' EXIT
cp -R "$(dirname "$0")" "$folder/app"
cd "$folder/app"
touch "$folder/locationd.toml"
export LOCATIOND_RUNTIME_DIRECTORY=$folder/run
"$locationd" --runtime-directory "$folder/run" --state-directory "$folder/state" --config "$folder/locationd.toml" \
    --receiver simulated --log-level warning &
daemon=$!
until [ -S "$folder/run/manage/io.locationd.Manage" ]; do kill -0 "$daemon"; sleep 0.1; done

# Builds the program with the options given, and compares what it prints with LINES.
check() {
    local case=$1 lines=$2
    shift 2
    swift build --toolset "$toolset" "$@" >"$folder/build.log" 2>&1 || { cat "$folder/build.log"; exit 1; }
    diff <(echo "$lines") <(timeout 120 "$(program "$@")")
    echo "$case: passed"
}

program() { echo "$(swift build --toolset "$toolset" "$@" --show-bin-path)/App"; }

packages=$'loop 1\ndistance 111319\ncell 48 11'
undecided=$packages$'\nstatus: CLAuthorizationStatus.notDetermined'
granted=$packages$'\nstatus: CLAuthorizationStatus.authorizedWhenInUse\nlocation in cell 59 18'
static=(-c release --static-swift-stdlib)
check 'clean' "$undecided"
touch Maps/Sources/Maps/*.swift .build/checkouts/swift-custom-dump/Sources/CustomDump/Conformances/*.swift
check 'touched' "$undecided"
for file in Maps/Sources/Maps/Maps.swift Sources/App/main.swift; do echo '// changed' >>"$file"; done
check 'rebuilt' "$undecided"
"$locationctl" grant "exe:$(program)" >/dev/null
check 'granted' "$granted"
"$locationctl" grant "exe:$(program "${static[@]}")" >/dev/null
check 'static runtime' "$granted" "${static[@]}"
