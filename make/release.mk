# The shipped programs: their compilation, their linking and their release of Debian.

# The toolchain's: another one's llvm-cov does not read what its compiler writes.
LLVM = $(dir $(realpath $(shell command -v $(SWIFT))))
TRIPLE = $(shell $(SWIFT) -print-target-info | sed -n 's/^ *"triple": "\(.*\)",/\1/p')
MODULE_TRIPLE = $(shell $(SWIFT) -print-target-info | sed -n 's/^ *"moduleTriple": "\(.*\)",/\1/p')

STATIC = -c release --static-swift-stdlib --omit-frame-pointers $(STRIP) $(RELOCATIONS) $(EXPORTS) $(LAYOUT) \
    $(PATHS)
STRIP := -Xlinker -s
# A bit for most relocations instead of 24 bytes: smaller programs, which start sooner. It needs glibc 2.36.
RELOCATIONS := -Xlinker -z -Xlinker pack-relative-relocs
# Neither debug information nor C's __FILE__ names the folder that the programs are built in.
PATHS := -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
    -Xcxx -ffile-prefix-map=$(CURDIR)=.
# With Swift's static library, a program would export all that is public, for plug-ins. There are none, and the linker
# can leave out all that nothing calls.
EXPORTS := -Xlinker --no-export-dynamic
# The functions of an epoch lie side by side in the programs (make epoch-order), and within them the blocks that it runs
# (make epoch-profile). A build without these options works.
LAYOUT = -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xswiftc -use-ld=lld \
    -Xlinker --symbol-ordering-file=packaging/epoch.order -Xlinker --no-warn-symbol-ordering \
    $(if $(PROFILE),-Xswiftc -Xfrontend -Xswiftc -ir-profile-use=$(CURDIR)/$(PROFILE) $(PROFILE_NAMES) $(DENSE))
# Code that an epoch does not run is moved out of its functions, which lie without gaps.
DENSE := -Xswiftc -Xllvm -Xswiftc -enable-split-machine-functions -Xswiftc -Xllvm -Xswiftc -align-all-functions=1
# The names of functions of one file have that file's name in front, without its folders.
PROFILE_NAMES := -Xswiftc -Xllvm -Xswiftc -static-func-full-module-prefix=false
RELEASE_DAEMON = $(shell $(SWIFT) build $(STATIC) --show-bin-path)/locationd

# The target: this machine, or with TARGET another release of Debian. packaging/prepare.py has made libraries
# and, for arm64, a compiler for it. RUN runs a program of it here.
TARGET ?=
export TARGET
ifeq ($(TARGET),debian13-amd64)
BUILT := .build/amd64
SYSROOT := $(CURDIR)/$(BUILT)/sysroot
MULTIARCH := x86_64-linux-gnu
DEBIAN_RELEASE := 13
SWIFT_BUILD := packaging/swift-build-amd64.sh
STATIC_BIN := $(BUILT)/build/x86_64-unknown-linux-gnu/release
RUN := $(SYSROOT)/usr/lib/$(MULTIARCH)/ld-linux-x86-64.so.2 --library-path $(SYSROOT)/usr/lib/$(MULTIARCH)
else ifeq ($(TARGET),debian13-arm64)
BUILT := .build/arm64
SYSROOT := $(CURDIR)/$(BUILT)/sysroot
MULTIARCH := aarch64-linux-gnu
DEBIAN_RELEASE := 13
HOST_ARCHITECTURE := --host-arch=arm64
SWIFT_BUILD := packaging/swift-build-arm64.sh
STATIC_BIN := $(BUILT)/build/aarch64-unknown-linux-gnu/release
MODULE_TRIPLE := aarch64-unknown-linux-gnu
RUN := qemu-aarch64-static -L $(SYSROOT)
export CROSS := $(MULTIARCH)-
export SWIFT_VERSION = $(shell sed -n '1s/^\([0-9.]*\).*/Swift version \1/p' $(BUILT)/.made-of)
else ifeq ($(TARGET),)
BUILT := .build
DEBIAN_RELEASE = $(shell . /etc/os-release && echo "$$VERSION_ID")
SWIFT_BUILD = $(SWIFT) build
STATIC_BIN := .build/release
RUN :=
else
$(error TARGET=$(TARGET) is none of debian13-amd64 and debian13-arm64)
endif
export SYSROOT
export MULTIARCH
GENERATED := $(BUILT)/generated

# Swift 6.2, which is Debian's, takes no such profile.
ifneq ($(TARGET),debian13-arm64)
TAKES_PROFILE := $(shell "$(LLVM)swift-frontend" -frontend -help-hidden 2>/dev/null | grep -e -ir-profile-use)
PROFILE := $(if $(TAKES_PROFILE),$(BUILT)/epoch.profdata)
endif

# The package manager does not notice that the objects were compiled with another profile.
profile: $(PROFILE)
$(PROFILE): packaging/epoch.profile
	rm -rf "$(realpath $(STATIC_BIN))"
	mkdir -p $(@D)
	"$(LLVM)llvm-profdata" merge --output=$@ $<

release-daemon: build-packages profile
	$(call build_products,locationd,$(STATIC))

## Build the generated files for `make install`: programs without a Swift runtime, completions.
programs: build-packages profile
	for program in $(PROGRAMS) interface-manual; do $(SWIFT_BUILD) $(STATIC) --product $$program || exit 1; done
	mkdir -p $(GENERATED)
	$(RUN) "$(STATIC_BIN)/interface-manual" --date "$$(sed -n 's/^\.Dd //p' man/locationd.8)" \
	    Sources/Location/LocationProtocol/io.locationd.Location.varlink >$(GENERATED)/io.locationd.Location.7
	for program in locationd locationctl locationd-publish locationd-nmea locationd-ntrip; do \
	    for shell in bash zsh fish; do \
	    $(RUN) "$(STATIC_BIN)/$$program" --generate-completion-script $$shell >$(GENERATED)/$$program.$$shell || exit 1; \
	done; done
	sed -i '1{/^#!/d}' $(GENERATED)/*.bash # It is sourced, not run.
