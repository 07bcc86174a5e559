#!/bin/sh
# Runs `swift build` of Debian's compiler for arm64: swift-build-arm64.sh [OPTION]...
#
# The compiler's folder is its root, in a mount namespace of its own (not as root: a user namespace too). The sources
# are there under the name that they have outside. Nothing is fetched: the packages that they depend on were fetched
# by this machine's Swift.
set -eu
sources=$(cd "$(dirname "$0")/.." && pwd)
export ARM64="$sources/.build/arm64"
mkdir -p "$ARM64/compiler$sources" "$ARM64/home"
exec unshare --mount $([ "$(id -u)" = 0 ] || echo --map-root-user) sh -euc '
    sources=$1; shift
    mount --bind "$sources" "$ARM64/compiler$sources"
    mount --rbind /proc "$ARM64/compiler/proc"
    mount --rbind /dev "$ARM64/compiler/dev"
    exec chroot "$ARM64/compiler" env -i PATH=/usr/libexec/swift/bin:/usr/bin:/bin HOME="$ARM64/home" LC_ALL=C.UTF-8 \
        ${LOCATIOND_TESTS:+LOCATIOND_TESTS="$LOCATIOND_TESTS"} \
        PKG_CONFIG_SYSROOT_DIR="$ARM64/sysroot" \
        PKG_CONFIG_PATH="$ARM64/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:$ARM64/sysroot/usr/share/pkgconfig" \
        sh -c "cd \"\$0\" && exec swift build \"\$@\"" "$sources" \
        --swift-sdks-path "$ARM64/sdks" --swift-sdk debian13-arm64 --scratch-path "$ARM64/build" \
        --disable-automatic-resolution "$@"
' sh "$sources" "$@"
