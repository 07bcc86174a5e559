##@ Test the packages

# How qemu runs the machine: tcg, in software, works everywhere; kvm if the processor permits it.
ACCEL ?= tcg
export ACCEL
SUDO = $$([ "$$(id -u)" = 0 ] || echo sudo)

MACHINE := .build/machine
TESTED_PACKAGES := locationd locationd-gpsd locationd-geoclue locationd-publish locationd-nmea locationd-ntrip
MACHINE_DEBS := $(foreach package,$(TESTED_PACKAGES),.build/deb/$(package)_*.deb)
# The packages for the release $(1).
RELEASED = $(foreach package,$(TESTED_PACKAGES),$(wildcard .build/packages/$(1)/$(package)_*.deb))
CONTAINER_DEBS = $(wildcard .build/packages/debian13-amd64/locationd_*.deb)

# The modules or steps of Tests/Machine to go through, all if empty.
ONLY ?=
CHOICE = $(if $(ONLY),--only $(ONLY))

## Install the packages on a whole machine in qemu, with a USB dongle that comes and goes. ACCEL=kvm is faster.
## ONLY="beacons surroundings" goes through the steps of these modules alone.
test-system: deb machine-packages
	mkdir -p $(MACHINE)
	$(SUDO) python3 -B Tests/Machine/image.py $(MACHINE)/image $(MACHINE_DEBS)
	python3 -B Tests/Machine $(MACHINE)/image $(MACHINE)/logs $(MACHINE_DEBS) $(CHOICE)

## Do what make test-system does on a machine with Debian 13. After make deb-debian13. ACCEL=kvm is faster.
test-debian13: machine-packages
	mkdir -p $(MACHINE)
	$(SUDO) python3 -B Tests/Machine/image.py $(MACHINE)/image-debian13 $(call RELEASED,debian13-amd64) --release trixie
	python3 -B Tests/Machine $(MACHINE)/image-debian13 $(MACHINE)/logs-debian13 $(call RELEASED,debian13-amd64) $(CHOICE)

## Go through the first hour of a desktop's owner, with Xfce on machines in qemu, Debian 12 and 13: two commands in
## a terminal, a click at the prompt, the menu of the tray, a prompt in German, GNOME's page about the location on
## Debian 13, locationctl setup at a UART. Pictures of the screen and transcripts are in .build/machine/desktop-*/logs.
## After make deb and make deb-debian13.
test-desktop: repository machine-packages
	for machine in "bookworm deb" "trixie packages/debian13-amd64 --settings"; do \
	    set -- $$machine; name=$(MACHINE)/desktop-$$1; mkdir -p $$name && \
	    $(SUDO) python3 -B Tests/Machine/image.py $$name/image .build/$$2/locationd_*.deb --release $$1 --desktop && \
	    python3 -B Tests/Machine $$name/image $$name/logs --repository .build/repository --desktop $$3 || exit 1; \
	done

## Try the units of docs/app-developers.md with podman on a machine with Debian 13, and containers that are refused.
## After make deb-debian13. ACCEL=kvm is faster.
test-containers: machine-packages
	mkdir -p $(MACHINE)
	$(SUDO) python3 -B Tests/Machine/image.py $(MACHINE)/image-containers $(CONTAINER_DEBS) --release trixie --containers
	python3 -B Tests/Machine $(MACHINE)/image-containers $(MACHINE)/logs-containers $(CONTAINER_DEBS) --containers

# The modules whose tests need neither another program nor a kernel of their own: (a). Then the programs (b), and a
# whole machine (c).
PURE_TESTS := AuthorizationPolicyTests BytewiseTests ForeignTextTests GPXTests JSONTests LocationModelTests \
    LogReportTests NMEATests PositioningTests PublishingTests TimeTransferTests
# Suites that calculate for minutes, and for hours under emulation: years of fixes, damaged input in quantities, pages
# of megabytes. They run with all the others in make test.
LONG_TESTS := Attack RandomWalk BoundTests DistanceTests RobustnessTests ReportPageTests LogReaderTests \
    DutyCycleTests StandStillTests UBXFrameTests AuthorizationModelTests
comma := ,
space := $(subst ,, )
ARM64 := .build/arm64
ARM64_DEBS := .build/packages/debian13-arm64
ARM64_TESTS = $(ARM64)/build/aarch64-unknown-linux-gnu/debug/locationdPackageTests.xctest

## Test the packages for arm64 under emulation, in half an hour: the three that follow, after make deb-arm64 and
## make build.
test-arm64: test-arm64-modules test-arm64-programs test-arm64-machine

## Run the tests of the pure modules, without those that calculate for minutes, under qemu-user-static.
test-arm64-modules: arm64-packages
	LOCATIOND_TESTS=$(subst $(space),$(comma),$(strip $(PURE_TESTS))) \
	    packaging/swift-build-arm64.sh --product locationdPackageTests
	qemu-aarch64-static -L $(ARM64)/sysroot -E LD_LIBRARY_PATH=$(ARM64)/sysroot/usr/lib/swift/linux \
	    $(ARM64_TESTS) --testing-library swift-testing --no-parallel $(addprefix --skip ,$(LONG_TESTS))

## Run the programs out of the packages over ptys.
test-arm64-programs: arm64-packages
	python3 -B Tests/Emulated $(ARM64)/sysroot $(ARM64_DEBS) "$(BIN)" Tests/Corpus/logs/*.nmea \
	    $(if $(NMEA_CORPUS),$(wildcard $(NMEA_CORPUS)/logs/*.nmea))

## Install the packages with apt on a whole machine with Debian 13 on arm64 in qemu.
test-arm64-machine: repository machine-packages arm64-packages
	mkdir -p $(MACHINE)
	$(SUDO) python3 -B Tests/Machine/image.py $(MACHINE)/image-arm64 $(call RELEASED,debian13-arm64) \
	    --release trixie --architecture arm64
	SLOWNESS=10 python3 -B Tests/Machine $(MACHINE)/image-arm64 $(MACHINE)/logs-arm64 $(call RELEASED,debian13-arm64) \
	    --architecture arm64 --repository .build/repository

# The packages of this machine's Debian, or of DOCS="trixie .build/packages/debian13-amd64".
DOCS ?= bookworm .build/deb
DOCS_RELEASE = $(firstword $(DOCS))
DOCS_DEBS = $(wildcard $(foreach name,locationd locationd-publish,$(lastword $(DOCS))/$(name)_*.deb))

## Run the commands of the documents in a fresh Debian folder, as their readers would. After make deb.
## DOCS="trixie .build/packages/debian13-amd64" takes another release.
test-docs: machine-packages
	$(SUDO) python3 -B Tests/Documents .build/documents $(DOCS_DEBS) --release $(DOCS_RELEASE)
