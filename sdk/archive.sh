#!/bin/sh
# Makes libCoreLocation.a of the package manager's archive with CoreLocation and all that it is built on.
#
#     archive.sh ALL.a libCoreLocation.a
#
# It becomes one object in which only CoreLocation's own symbols are visible: a program may use another version of
# SwiftNIO beside it. Groups of sections that occur in several objects are dissolved, because the linker would drop one
# that the program has too, and with it what hidden symbols refer to.
set -eu
object=${2%.a}.o
ld --relocatable --force-group-allocation --whole-archive "$1" -o "$object"
objcopy --strip-debug --wildcard --keep-global-symbol '*12CoreLocation*' "$object"
rm -f "$2"
ar rcs "$2" "$object"
rm "$object"
