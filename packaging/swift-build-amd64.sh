#!/bin/sh
# Runs `swift build` of this machine's Swift for Debian 13 on amd64: swift-build-amd64.sh [OPTION]...
set -eu
amd64=$(cd "$(dirname "$0")/.." && pwd)/.build/amd64
export PKG_CONFIG_SYSROOT_DIR="$amd64/sysroot"
export PKG_CONFIG_PATH="$amd64/sysroot/usr/lib/x86_64-linux-gnu/pkgconfig:$amd64/sysroot/usr/share/pkgconfig"
exec "${SWIFT:-swift}" build \
    --swift-sdks-path "$amd64/sdks" --swift-sdk debian13-amd64 --scratch-path "$amd64/build" "$@"
