#!/usr/bin/env bash
# Checks that a library of CoreLocation shows none of the symbols that a program may have too, as those of SwiftNIO.
#
#     visible-symbols.sh LIBRARY
set -euo pipefail
symbols=$(nm --extern-only --defined-only "$1" | grep -E ' [A-Za-z] ')
[ "$(wc -l <<<"$symbols")" -gt 1000 ]
if grep -vE ' \$s(12CoreLocation|21CoreLocationGeocoding|8Contacts)' <<<"$symbols"; then
    echo "$1 shows symbols that are not CoreLocation's" >&2
    exit 1
fi
echo 'visible symbols: passed'
