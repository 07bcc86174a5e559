#!/usr/bin/env bash
# Compiles and runs a program of one file, with nothing but what pkg-config says about CoreLocation.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/walk.swift" <<'END'
import CoreLocation
print(Int(CLLocation(latitude: 0, longitude: 0).distance(from: CLLocation(latitude: 0, longitude: 1))))
END
read -ra flags <<<"$(pkg-config --cflags --libs corelocation)"
"${SWIFT:-swift}c" "${flags[@]}" "$folder/walk.swift" -o "$folder/walk"
diff <(echo 111319) <("$folder/walk")
echo 'pkg-config: passed'
