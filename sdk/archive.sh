#!/bin/sh
# Makes libCoreLocation.a from the package manager's archive of CoreLocation and everything it depends on.
#
#     archive.sh ALL.a libCoreLocation.a
#
# It becomes one object in which only CoreLocation's own symbols are visible: a program may have another version of
# SwiftNIO beside it. Section groups are dissolved: the linker drops a group that the program has too, and hidden symbols
# would lose what they refer to.
set -eu
object=${2%.a}.o
ld.bfd --relocatable --force-group-allocation --whole-archive "$1" -o "$object"
objcopy --strip-debug --wildcard --keep-global-symbol '$s12CoreLocation*' "$object"
rm -f "$2"
ar rcs "$2" "$object"
rm "$object"
