#!/bin/sh
# Makes libCoreLocation.a from the package manager's archive of CoreLocation and everything it depends on.
#
#     archive.sh ALL.a libCoreLocation.a
#
# It becomes one object with only the symbols of CoreLocation, CoreLocationGeocoding and Contacts visible: a program may
# have another version of SwiftNIO beside it. Section groups are dissolved: the linker drops a group that the program
# has too, and hidden symbols would lose their targets. CROSS is the prefix of the tools' names, for another machine's
# objects.
set -eu
cross=${CROSS-}
object=${2%.a}.o
"${cross}ld.bfd" --relocatable --force-group-allocation --whole-archive "$1" -o "$object"
"${cross}objcopy" --strip-debug --wildcard --keep-global-symbol '$s12CoreLocation*' \
    --keep-global-symbol '$s21CoreLocationGeocoding*' --keep-global-symbol '$s8Contacts*' "$object"
rm -f "$2"
"${cross}ar" rcs "$2" "$object"
rm "$object"
