#!/usr/bin/env bash
# Builds the program in this folder and runs it: from nothing, with touched packages, with changed ones, with a grant,
# and with the static runtime.
#
#     test.sh BIN [OPTION...]
#
# BIN is the folder with locationd and locationctl; each OPTION is for `swift build`. SWIFT is the compiler. It or an
# option names the place of CoreLocation; with LOCATIOND_CHECKOUT, that is built from source.
set -euo pipefail
locationd=$1/locationd locationctl=$1/locationctl
shift
options=("$@")
swift=${SWIFT:-swift}
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

build() { "$swift" build "${options[@]}" "$@" >"$folder/build.log" 2>&1 || { cat "$folder/build.log"; exit 1; }; }

program() { echo "$("$swift" build "${options[@]}" "$@" --show-bin-path)/App"; }

# Builds the program with the options given, and compares its output with LINES.
check() {
    local case=$1 lines=$2
    shift 2
    build "$@"
    diff <(echo "$lines") <(timeout 120 "$(program "$@")")
    echo "$case: passed"
}

packages=$'loop 1\ndistance 111319\ncell 48 11'
undecided=$packages$'\nstatus: CLAuthorizationStatus.notDetermined'
granted=$packages$'\nstatus: CLAuthorizationStatus.authorizedWhenInUse\nlocation in cell 59 18'
static=(-c release --static-swift-stdlib)
# From source, the packages that look for the module find it only if it is there.
[ -z "${LOCATIOND_CHECKOUT:-}" ] || build --target CoreLocation
check 'clean' "$undecided"
touch Maps/Sources/Maps/*.swift .build/checkouts/swift-custom-dump/Sources/CustomDump/Conformances/*.swift
check 'touched' "$undecided"
for file in Maps/Sources/Maps/Maps.swift Sources/App/main.swift; do echo '// changed' >>"$file"; done
check 'rebuilt' "$undecided"
"$locationctl" grant "exe:$(program)" >/dev/null
check 'granted' "$granted"
[ -z "${LOCATIOND_CHECKOUT:-}" ] || exit 0
"$locationctl" grant "exe:$(program "${static[@]}")" >/dev/null
check 'static runtime' "$granted" "${static[@]}"
