# locationd: `make help` lists what can be made.
SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# Where `make install` puts what distributions put in different places.
UNITDIR ?= $(PREFIX)/lib/systemd/system
UDEVDIR ?= /usr/lib/udev
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
DBUSDIR ?= /usr/share/dbus-1
POLKITDIR ?= /usr/share/polkit-1
FUZZ_SECONDS ?= 60
# Most tests start daemons, and a daemon gives up a receiver that is silent for 5 s. On two processors, all tests take
# 125 s with eight at once, which leaves them idle half of the time, 87 s with sixteen, 84 s with 24. Beside four busy
# processes no run with sixteen has failed; of one without a limit, 13 tests failed.
TESTS_AT_ONCE ?= 16
# How qemu runs the machine: tcg, in software, works everywhere; kvm where the processor lets it.
ACCEL ?= tcg
export ACCEL
TEST_ENVIRONMENT = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(TESTS_AT_ONCE) \
    VARLINK_PYTHON=$$([ -x .build/venv/bin/python ] && echo $(CURDIR)/.build/venv/bin/python)
# There are none of XCTest's tests to look for.
TEST = env $(TEST_ENVIRONMENT) $(SWIFT) test --disable-xctest
RUNS ?= 20
CONFIGURATION := debug
BIN = $(shell $(SWIFT) build -c $(CONFIGURATION) --show-bin-path)
STATIC = -c release --static-swift-stdlib --omit-frame-pointers $(STRIP) $(LAYOUT)
STRIP := -Xlinker -s
# The functions of an epoch lie side by side in the programs (make epoch-order), and within them the blocks that it runs
# (make epoch-profile). A build without these options works.
LAYOUT = -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xswiftc -use-ld=lld \
    -Xlinker --symbol-ordering-file=packaging/epoch.order -Xlinker --no-warn-symbol-ordering \
    $(if $(PROFILE),-Xswiftc -Xfrontend -Xswiftc -ir-profile-use=$(CURDIR)/$(PROFILE) $(PROFILE_NAMES) $(DENSE))
# What an epoch does not run is taken out of its functions, and nothing is left free between those.
DENSE := -Xswiftc -Xllvm -Xswiftc -enable-split-machine-functions -Xswiftc -Xllvm -Xswiftc -align-all-functions=1
# The names of functions of one file have that file's name in front, without its folders.
PROFILE_NAMES := -Xswiftc -Xllvm -Xswiftc -static-func-full-module-prefix=false
RELEASE_DAEMON = $(shell $(SWIFT) build $(STATIC) --show-bin-path)/locationd

BUILD_PACKAGES := binutils pkg-config libcurl4-openssl-dev libgps-dev libmosquitto-dev libsqlite3-dev libssl-dev \
    libsystemd-dev libudev-dev
TEST_PACKAGES := gpsd gpsd-clients python3-gps python3-venv libxml2-utils bubblewrap dbus-bin dbus-daemon systemd udev \
    umockdev mandoc mosquitto mosquitto-clients openssl python3-paho-mqtt socat util-linux iproute2 chrony polkitd \
    avahi-daemon avahi-utils modemmanager gir1.2-umockdev-1.0 python3-dbusmock python3-gi dunst xvfb
CLIENT_PACKAGES = $(shell python3 -B Tests/Clients --packages)
BROWSER_PACKAGES := chromium chromium-driver fonts-dejavu-core
BENCH_PACKAGES := gpsd-clients valgrind
FLEET_PACKAGES := mosquitto mosquitto-clients postgresql python3-paho-mqtt python3-psycopg2
DEB_PACKAGES := debhelper dpkg-dev lintian
ARM64_PACKAGES := binutils-aarch64-linux-gnu debian-archive-keyring qemu-user-static
REPOSITORY_PACKAGES := apt-utils dpkg-dev gpg
MACHINE_PACKAGES := qemu-system-x86 qemu-system-arm qemu-utils debootstrap debian-archive-keyring gpgv e2fsprogs python3

# Installs the Debian packages that are missing; says and does nothing when all are there.
define install_packages
@missing=""; for package in $(1); do \
    dpkg-query -W -f '$${db:Status-Abbrev}' $$package 2>/dev/null | grep -q '^ii' || missing="$$missing $$package"; \
done; \
if [ -n "$$missing" ]; then \
    echo "installing$$missing"; sudo=""; [ "$$(id -u)" = 0 ] || sudo=sudo; \
    $$sudo apt-get update -qq && $$sudo env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
fi
endef

.PHONY: help demo test test-stress sanitize coverage build lint format pictures bench epoch-profile epoch-order bench-nmea bench-chrony adversary symbols docs examples fuzz \
    fuzz-daemon test-report test-publish bench-backlog bench-fleet bench-fleet-mirror install install-gpsd install-geoclue install-publish install-nmea sdk install-sdk uninstall-sdk install-dev test-sdk venv programs \
    release-daemon profile deb deb-debian13 deb-arm64 repository test-clients test-system test-arm64 \
    test-arm64-modules test-arm64-programs test-arm64-machine test-debian13 test-desktop test-docs build-packages test-packages bench-packages deb-packages arm64-packages repository-packages \
    machine-packages

help: ## Show this list.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

demo: build ## Run the daemon on its simulated receiver and watch the location, until Ctrl-C.
	@directory=$$(mktemp -d); touch $$directory/locationd.toml; export LOCATIOND_RUNTIME_DIRECTORY=$$directory/run; ctl="$(BIN)/locationctl"; \
	"$(BIN)/locationd" --runtime-directory $$directory/run --state-directory $$directory/state \
	    --config $$directory/locationd.toml --receiver simulated --log-level warning & daemon=$$!; \
	trap 'kill $$daemon 2>/dev/null; wait $$daemon; rm -rf $$directory' EXIT; trap 'exit 0' INT TERM; \
	until [ -S $$directory/run/manage/io.locationd.Manage ]; do kill -0 $$daemon || exit 1; sleep 0.1; done; \
	$$ctl grant "$$($$ctl status --json | sed 's/.*"app":"\([^"]*\)".*/\1/')" && $$ctl watch $(WATCH)

test: build-packages test-packages venv lint ## Build with warnings as errors, check the format, run all tests.
	$(SWIFT) build --build-tests
	$(TEST) --skip-build --parallel

test-stress: build-packages test-packages venv ## Run the built tests RUNS=20 times alone and RUNS times beside four busy processes.
	$(SWIFT) build --build-tests
	Tests/Tools/stress.sh $(RUNS) .build/stress $(TEST) --skip-build --parallel

# Each sanitizer has a build folder of its own. Leaks are not looked for: programs end while connections are open, and the
# sanitizer does not see references that Swift keeps with tag bits, as those to the payload of an enum. The memory of a
# daemon after a flood is not compared under the address sanitizer, which keeps what was freed. A process that aborts
# under the thread sanitizer hangs in the backtrace that Swift's runtime prints.
sanitize: build-packages test-packages venv ## Run all tests under the thread sanitizer, then under the address sanitizer.
	for sanitizer in thread address; do \
	    $(SWIFT) build --build-tests --sanitize=$$sanitizer --scratch-path .build/$$sanitizer && \
	    TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Tools/thread-sanitizer.supp ASAN_OPTIONS=detect_leaks=0 \
	        SWIFT_BACKTRACE=enable=no \
	        $(TEST) --skip-build --parallel --sanitize=$$sanitizer \
	        --scratch-path .build/$$sanitizer || exit 1; \
	done

COVERAGE := .build/coverage
# The toolchain's: another one's llvm-cov does not read what its compiler writes.
LLVM = $(dir $(realpath $(shell command -v $(SWIFT))))

coverage: build-packages test-packages venv ## Print the line coverage of each module. FILES=MODULE lists that module's files.
	$(SWIFT) build --build-tests --enable-code-coverage --scratch-path $(COVERAGE)
	rm -rf $(COVERAGE)/profiles
	bin=$$($(SWIFT) build --scratch-path $(COVERAGE) --show-bin-path) && \
	LLVM_PROFILE_FILE="$(CURDIR)/$(COVERAGE)/profiles/%4m.profraw" $(TEST_ENVIRONMENT) \
	    $$bin/locationdPackageTests.xctest --testing-library swift-testing && \
	"$(LLVM)llvm-profdata" merge --failure-mode=all -o $(COVERAGE)/all.profdata $(COVERAGE)/profiles/*.profraw && \
	"$(LLVM)llvm-cov" export -summary-only -instr-profile=$(COVERAGE)/all.profdata \
	    $$bin/locationdPackageTests.xctest $(foreach program,$(PROGRAMS),-object $$bin/$(program)) | \
	    Tests/Tools/coverage.py $(if $(FILES),--files $(FILES))

build: build-packages ## Build the daemon and locationctl.
	$(SWIFT) build --product locationd
	$(SWIFT) build --product locationctl
	$(SWIFT) build --product locationd-peers
	$(SWIFT) build --product locationd-publish
	$(SWIFT) build --product locationd-nmea

lint: ## Check the format of the sources.
	$(SWIFT) format lint --strict --recursive Sources Tests Examples/Sources Package.swift Examples/Package.swift

format: ## Format the sources.
	$(SWIFT) format --in-place --recursive Sources Tests Examples/Sources Package.swift Examples/Package.swift

bench: build-packages test-packages bench-packages profile ## Measure latency, fan-out and memory, side by side with gpsd. BENCH="--many 10000" adds options.
	$(SWIFT) build $(STATIC) --product locationd
	$(SWIFT) build $(STATIC) --product locationctl
	$(SWIFT) build $(STATIC) --product locationd-bench
	"$$($(SWIFT) build $(STATIC) --show-bin-path)/locationd-bench" $(BENCH)

PROFILING := .build/profiling
epoch-profile: build-packages profile ## Count the blocks of an epoch anew, into packaging/epoch.profile, by which the compiler orders them. Then make epoch-order.
	$(SWIFT) build $(STATIC) --product locationd-bench
	$(SWIFT) build -c release --static-swift-stdlib --scratch-path $(PROFILING) --product locationd \
	    -Xswiftc -Xfrontend -Xswiftc -ir-profile-generate $(PROFILE_NAMES) -Xlinker -u__llvm_profile_runtime \
	    -Xlinker $(wildcard $(LLVM)../lib/clang/*/lib/linux/libclang_rt.profile-$(shell uname -m).a)
	"$$($(SWIFT) build $(STATIC) --show-bin-path)/locationd-bench" --profiles $(PROFILING) \
	    --locationd "$$($(SWIFT) build -c release --scratch-path $(PROFILING) --show-bin-path)/locationd"
	for run in shorter longer; do \
	    "$(LLVM)llvm-profdata" merge --text --sparse --output=$(PROFILING)/$$run.text $(PROFILING)/$$run || exit 1; done
	Tests/Tools/epoch_profile.py $(PROFILING)/shorter.text $(PROFILING)/longer.text 500 >packaging/epoch.profile

# With the symbols, which the linker strips otherwise, and without what valgrind may not be able to read.
epoch-order: STRIP := -Xlinker -S
epoch-order: build-packages bench-packages profile ## List the functions of an epoch anew, in packaging/epoch.order, by which the linker lays them.
	for program in locationd locationd-bench; do $(SWIFT) build $(STATIC) --product $$program || exit 1; done
	"$$($(SWIFT) build $(STATIC) --show-bin-path)/locationd-bench" --order packaging/epoch.order

bench-nmea: release-daemon ## Measure what locationd-nmea adds to a location's way, in and out.
	$(SWIFT) build $(STATIC) --product locationd-nmea
	python3 -B Tests/Benchmarks/nmea_latency.py "$(dir $(RELEASE_DAEMON))"

bench-chrony: release-daemon test-packages ## Compare chrony's offset with a known one, with the real chronyd. CHRONY="--duration 3600 --faults" adds options.
	python3 -B Tests/Benchmarks/chrony_offset.py "$(RELEASE_DAEMON)" $(CHRONY)

test-publish: build test-packages ## Kill the publisher and its server, a broker or an HTTPS server, 200 times each, and cut the network for minutes; nothing may be lost. As root. PUBLISH="--moments 20 --cut 0" is quicker.
	for server in mqtt https overland; do \
	    python3 -B Tests/Benchmarks/Publishing/publish_endurance.py "$(BIN)" --server $$server $(PUBLISH) || exit 1; done

bench-backlog: build test-packages ## Measure how long a queue of a day takes to be sent. BACKLOG="--server https --count 1000" is another one.
	python3 -B Tests/Benchmarks/Publishing/publish_backlog.py "$(BIN)" $(BACKLOG)

bench-fleet: build-packages test-packages ## Play a fleet of 1,000 units through one broker, with restarts and kills. FLEET="--units 20 --seconds 20" is quicker.
	$(SWIFT) build -c release --product publish-load
	python3 -B Tests/Benchmarks/Publishing/fleet_load.py "$$($(SWIFT) build -c release --show-bin-path)" $(FLEET)

bench-fleet-mirror: build-packages ## Play a fleet through two brokers into PostgreSQL, killing either broker. FLEET="--units 20 --seconds 20" is quicker.
	$(call install_packages,$(FLEET_PACKAGES))
	$(SWIFT) build -c release --product publish-load
	python3 -B Tests/Benchmarks/Publishing/fleet_mirror.py "$$($(SWIFT) build -c release --show-bin-path)" $(FLEET)

# As root the attacks come from another user than the daemon's clients, as they would; otherwise from the same one.
adversary: release-daemon ## Attack the daemon as one user's worst, and measure what others notice. ADVERSARY="--each" adds options.
	for program in $(PROGRAMS); do $(SWIFT) build $(STATIC) --product $$program || exit 1; done
	python3 -B Tests/Adversary holes "$(dir $(RELEASE_DAEMON))"
	python3 -B Tests/Adversary held-peers "$(RELEASE_DAEMON)" "$(dir $(RELEASE_DAEMON))locationd-peers"
	python3 -B Tests/Adversary attack "$(RELEASE_DAEMON)" $(ADVERSARY)

test-clients: release-daemon venv ## Run clients by others of gpsd and GeoClue, unchanged, beside gpsd and GeoClue, and senders of NMEA, one hostile. CLIENTS=NAMES runs some.
	$(call install_packages,$(CLIENT_PACKAGES))
	$(SWIFT) build $(STATIC) --product locationctl
	$(SWIFT) build $(STATIC) --product locationd-peers
	$(SWIFT) build $(STATIC) --product locationd-nmea
	$(SWIFT) build $(STATIC) --product locationd-publish
	python3 -B Tests/Clients --bin "$(dir $(RELEASE_DAEMON))" $(CLIENTS)

# As whoever builds, not as root: Chromium runs without its sandbox, on pages that were just made.
test-report: build-packages ## Open reports of logs in Chromium: looks, zoom and hover; compare their figures. LOGS=FILES adds logs.
	$(call install_packages,$(BROWSER_PACKAGES))
	$(SWIFT) build --product locationctl
	python3 -B Tests/Report "$(BIN)/locationctl" $(LOGS)

# In a mount namespace, where the apps that are seen can be at a place where apps are.
pictures: build ## Make the pictures of the documents again, docs/pictures: the dashboard in a terminal, a report in Chromium.
	$(call install_packages,$(BROWSER_PACKAGES) tmux)
	unshare --mount --map-root-user python3 -B Tests/Tools/pictures.py "$(BIN)" docs/pictures

MACHINE := .build/machine
MACHINE_DEBS := $(foreach package,locationd locationd-gpsd locationd-geoclue locationd-publish locationd-nmea,.build/deb/$(package)_*.deb)

test-system: deb machine-packages ## Install the packages on a whole machine in qemu, with a USB dongle.
	mkdir -p $(MACHINE)
	sudo=""; [ "$$(id -u)" = 0 ] || sudo=sudo; $$sudo python3 -B Tests/Machine/image.py $(MACHINE)/image $(MACHINE_DEBS)
	python3 -B Tests/Machine $(MACHINE)/image $(MACHINE)/logs $(MACHINE_DEBS)

# The modules whose tests need neither another program nor a kernel of their own: (a). Then the programs (b), and a whole
# machine (c).
PURE_TESTS := AuthorizationPolicyTests BytewiseTests ForeignTextTests GPXTests JSONTests LocationModelTests LogReportTests \
    NMEATests PositioningTests PublishingTests TimeTransferTests
# Suites that calculate for minutes, hence for hours under emulation: years of fixes, damaged input in quantities, pages of
# megabytes. They run with all the others in make test.
LONG_TESTS := Attack RandomWalk BoundTests DistanceTests RobustnessTests ReportPageTests LogReaderTests \
    DutyCycleTests StandStillTests UBXFrameTests
comma := ,
space := $(subst ,, )
ARM64 := .build/arm64
ARM64_DEBS := .build/packages/debian13-arm64
ARM64_TESTS = $(ARM64)/build/aarch64-unknown-linux-gnu/debug/locationdPackageTests.xctest
test-arm64: test-arm64-modules test-arm64-programs test-arm64-machine ## Test the packages for arm64 under emulation: modules, programs, a machine. After make deb-arm64 and make build.

test-arm64-modules: arm64-packages
	LOCATIOND_TESTS=$(subst $(space),$(comma),$(strip $(PURE_TESTS))) packaging/swift-build-arm64.sh --product locationdPackageTests
	qemu-aarch64-static -L $(ARM64)/sysroot -E LD_LIBRARY_PATH=$(ARM64)/sysroot/usr/lib/swift/linux \
	    $(ARM64_TESTS) --testing-library swift-testing --no-parallel $(addprefix --skip ,$(LONG_TESTS))

test-arm64-programs: arm64-packages
	python3 -B Tests/Emulated $(ARM64)/sysroot $(ARM64_DEBS) "$(BIN)" Tests/Corpus/logs/*.nmea \
	    $(if $(NMEA_CORPUS),$(wildcard $(NMEA_CORPUS)/logs/*.nmea))

RELEASED = $(foreach package,locationd locationd-gpsd locationd-geoclue locationd-publish locationd-nmea,$(wildcard .build/packages/$(1)/$(package)_*.deb))
SUDO = $$([ "$$(id -u)" = 0 ] || echo sudo)
test-arm64-machine: repository machine-packages arm64-packages
	mkdir -p $(MACHINE)
	$(SUDO) python3 -B Tests/Machine/image.py $(MACHINE)/image-arm64 $(call RELEASED,debian13-arm64) \
	    --release trixie --architecture arm64
	SLOWNESS=10 python3 -B Tests/Machine $(MACHINE)/image-arm64 $(MACHINE)/logs-arm64 $(call RELEASED,debian13-arm64) \
	    --architecture arm64 --repository .build/repository

test-debian13: machine-packages ## Test the packages for Debian 13 on a whole machine in qemu, as make test-system does. After make deb-debian13.
	mkdir -p $(MACHINE)
	$(SUDO) python3 -B Tests/Machine/image.py $(MACHINE)/image-debian13 $(call RELEASED,debian13-amd64) --release trixie
	python3 -B Tests/Machine $(MACHINE)/image-debian13 $(MACHINE)/logs-debian13 $(call RELEASED,debian13-amd64)

# The packages of this machine's Debian, or of DOCS="trixie .build/packages/debian13-amd64".
DOCS ?= bookworm .build/deb
DOCS_RELEASE = $(firstword $(DOCS))
DOCS_DEBS = $(wildcard $(foreach name,locationd locationd-publish,$(lastword $(DOCS))/$(name)_*.deb))

test-docs: machine-packages ## Run the commands of the documents in a fresh Debian folder, as their readers would. After make deb. DOCS="trixie .build/packages/debian13-amd64" takes another release.
	$(SUDO) python3 -B Tests/Documents .build/documents $(DOCS_DEBS) --release $(DOCS_RELEASE)

test-desktop: repository machine-packages ## Go through the first hour of a desktop's owner on machines in qemu, Debian 12 and 13: pictures and transcripts in .build/machine. After make deb and make deb-debian13.
	for release in bookworm:deb trixie:packages/debian13-amd64; do \
	    name=$(MACHINE)/desktop-$${release%%:*}; debs=.build/$${release#*:}; mkdir -p $$name && \
	    $(SUDO) python3 -B Tests/Machine/image.py $$name/image $$debs/locationd_*.deb --release $${release%%:*} --desktop && \
	    python3 -B Tests/Machine $$name/image $$name/logs --repository .build/repository --desktop || exit 1; \
	done

symbols: ## Print the state of every symbol of CoreLocation, in Swift 5 and in Swift 6 mode.
	@$(SWIFT) build --target CoreLocation
	@Tests/CoreLocationTests/Symbols/symbols.py "$(BIN)/Modules"

TRIPLE = $(shell $(SWIFT) -print-target-info | sed -n 's/^ *"triple": "\(.*\)",/\1/p')
MODULE_TRIPLE = $(shell $(SWIFT) -print-target-info | sed -n 's/^ *"moduleTriple": "\(.*\)",/\1/p')

# To load a module that the package manager has built, the compiler wants the C modules behind it. What LocationClient
# exports of other modules is documented with it. A link that leads nowhere is an error.
docs: build-packages ## Make the documentation of the client libraries: .build/docs/MODULE.doccarchive, for any web server.
	$(SWIFT) build --target LocationClient
	$(SWIFT) build --target CoreLocation
	@rm -rf .build/docs
	@for map in "$(BIN)"/*.build/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap \
	    Sources/*/include/module.modulemap; do set -- "$$@" -Xcc -fmodule-map-file="$$map"; done; \
	for module in LocationClient CoreLocation; do \
	    mkdir -p .build/docs/symbols/$$module && \
	    $(SWIFT) symbolgraph-extract -module-name $$module -target $(TRIPLE) -I "$(BIN)/Modules" "$$@" \
	        -minimum-access-level public -skip-synthesized-members -output-dir .build/docs/symbols/$$module \
	        -experimental-allowed-reexported-modules=LocationModel,LocationProtocol && \
	    docc convert Sources/$$module/$$module.docc --additional-symbol-graph-dir .build/docs/symbols/$$module \
	        --output-path .build/docs/$$module.doccarchive --fallback-bundle-identifier io.locationd.$$module \
	        --fallback-default-module-kind Library --warnings-as-errors || exit 1; \
	done

examples: build-packages ## Build the programs in Examples/ as the package of their own that they are.
	$(SWIFT) build --package-path Examples --scratch-path .build/examples

# Each is a function in Tests/Fuzz and a folder of seeds there. What is found stays in .build/fuzz/corpus, for next time.
FUZZ_TARGETS := nmea fixes frames interfaces gpx report gpsd gpsd-requests geoclue peers sockdiag shift datagrams
FUZZ := .build/fuzz

fuzz: build-packages ## Feed damaged input to each of FUZZ_TARGETS, for FUZZ_SECONDS=60.
	LOCATIOND_FUZZ=1 $(SWIFT) build -c release --product Fuzz --scratch-path $(FUZZ) \
	    -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=fuzzer,address
	swiftc -sanitize=fuzzer,address -use-ld=lld -o $(FUZZ)/fuzz $(FUZZ)/release/libFuzz.a
	for target in $(FUZZ_TARGETS); do \
	    echo "$$target" && mkdir -p $(FUZZ)/corpus/$$target && \
	    FUZZ_TARGET=$$target SWIFT_BACKTRACE=enable=no $(FUZZ)/fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=10 \
	        -print_final_stats=1 -artifact_prefix=$(FUZZ)/$$target- $(FUZZ)/corpus/$$target Tests/Fuzz/Seeds/$$target \
	        || exit 1; \
	done

fuzz-daemon: release-daemon ## Send fuzzed calls to both sockets of the daemon, for FUZZ_SECONDS=60. SEED=NUMBER repeats them.
	python3 -B Tests/Adversary fuzz "$(RELEASE_DAEMON)" --seconds $(FUZZ_SECONDS) $(if $(SEED),--seed $(SEED))

PROGRAMS := locationd locationctl locationd-peers locationd-publish locationd-nmea

# What is built for: this machine, or with TARGET another release of Debian. packaging/prepare.py has made libraries and,
# for arm64, a compiler for it. RUN runs a program of it here.
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
PROFILE := $(if $(shell "$(LLVM)swift-frontend" -frontend -help-hidden 2>/dev/null | grep -e -ir-profile-use),$(BUILT)/epoch.profdata)
endif

# The package manager does not see that what was compiled was so by another profile.
profile: $(PROFILE)
$(PROFILE): packaging/epoch.profile
	rm -rf "$(realpath $(STATIC_BIN))"
	mkdir -p $(@D)
	"$(LLVM)llvm-profdata" merge --output=$@ $<

# A manifest is called like its app, with the path as `systemd-escape --path` writes it.
MANIFEST = exe:$(subst /,-,$(subst -,\x2d,$(patsubst /%,%,$(PREFIX)/bin/locationctl))).toml

# Everything that `make install` installs and that is not in the sources.
programs: build-packages profile
	for program in $(PROGRAMS) interface-manual; do $(SWIFT_BUILD) $(STATIC) --product $$program || exit 1; done
	mkdir -p $(GENERATED)
	$(RUN) "$(STATIC_BIN)/interface-manual" --date "$$(sed -n 's/^\.Dd //p' man/locationd.8)" \
	    Sources/LocationProtocol/io.locationd.Location.varlink >$(GENERATED)/io.locationd.Location.7
	for program in locationd locationctl locationd-publish locationd-nmea; do for shell in bash zsh fish; do \
	    $(RUN) "$(STATIC_BIN)/$$program" --generate-completion-script $$shell >$(GENERATED)/$$program.$$shell || exit 1; \
	done; done
	sed -i '1{/^#!/d}' $(GENERATED)/*.bash # It is sourced, and no program.

install: ROOT = $(DESTDIR)$(PREFIX)
install: SHARE = $(ROOT)/share
install: programs ## Install into DESTDIR and below PREFIX: programs that need no Swift runtime, units, rules, manual pages.
	install -D -m 0755 "$(STATIC_BIN)/locationd" "$(ROOT)/sbin/locationd"
	install -D -m 0755 "$(STATIC_BIN)/locationctl" "$(ROOT)/bin/locationctl"
	install -D -m 0755 "$(STATIC_BIN)/locationd-peers" "$(ROOT)/libexec/locationd-peers"
	install -d "$(DESTDIR)$(UNITDIR)"
	for unit in systemd/*.service systemd/*.socket systemd/*.timer; do \
	    sed -e 's|/usr/sbin/locationd|$(PREFIX)/sbin/locationd|' -e 's|/usr/libexec/|$(PREFIX)/libexec/|' \
	        -e 's|/usr/bin/locationctl|$(PREFIX)/bin/locationctl|' $$unit \
	        >"$(DESTDIR)$(UNITDIR)/$${unit##*/}" && chmod 0644 "$(DESTDIR)$(UNITDIR)/$${unit##*/}" || exit 1; \
	done
	install -d "$(ROOT)/lib/systemd/user"
	sed 's|/usr/bin/locationctl|$(PREFIX)/bin/locationctl|' systemd/user/locationctl-agent.service \
	    >"$(ROOT)/lib/systemd/user/locationctl-agent.service"
	chmod 0644 "$(ROOT)/lib/systemd/user/locationctl-agent.service"
	install -D -m 0644 etc/desktop/io.locationd.Agent.desktop "$(DESTDIR)/etc/xdg/autostart/io.locationd.Agent.desktop"
	install -D -m 0644 etc/desktop/io.locationd.Dashboard.desktop "$(SHARE)/applications/io.locationd.Dashboard.desktop"
	install -D -m 0644 etc/desktop/io.locationd.metainfo.xml "$(SHARE)/metainfo/io.locationd.metainfo.xml"
	install -D -m 0644 etc/desktop/io.locationd.svg "$(SHARE)/icons/hicolor/scalable/apps/io.locationd.svg"
	install -D -m 0644 systemd/locationd.sysusers "$(ROOT)/lib/sysusers.d/locationd.conf"
	install -D -m 0644 systemd/locationd.tmpfiles "$(ROOT)/lib/tmpfiles.d/locationd.conf"
	install -d "$(DESTDIR)$(UDEVDIR)/rules.d" "$(DESTDIR)$(UDEVDIR)/hwdb.d"
	install -m 0644 udev/*.rules "$(DESTDIR)$(UDEVDIR)/rules.d"
	install -m 0644 udev/*.hwdb "$(DESTDIR)$(UDEVDIR)/hwdb.d"
	install -D -m 0644 polkit/io.locationd.policy "$(DESTDIR)$(POLKITDIR)/actions/io.locationd.policy"
	install -D -m 0644 polkit/io.locationd.rules "$(DESTDIR)$(POLKITDIR)/rules.d/io.locationd.rules"
	install -D -m 0644 dbus/io.locationd.conf "$(DESTDIR)$(DBUSDIR)/system.d/io.locationd.conf"
	install -d "$(DESTDIR)/etc/locationd/conf.d" "$(DESTDIR)/etc/locationd/apps"
	[ -e "$(DESTDIR)/etc/locationd/locationd.toml" ] || \
	    install -m 0644 etc/locationd.toml "$(DESTDIR)/etc/locationd/locationd.toml"
	install -D -m 0644 etc/locationctl.toml "$(DESTDIR)/usr/share/locationd/apps/$(MANIFEST)"
	install -d "$(SHARE)/doc/locationd/docs"
	install -m 0644 README.md NEWS.md SECURITY.md ARCHITECTURE.md CONTRIBUTING.md "$(SHARE)/doc/locationd"
	install -m 0644 docs/*.md "$(SHARE)/doc/locationd/docs"
	install -D -m 0644 -t "$(SHARE)/doc/locationd/docs/pictures" docs/pictures/*
	install -D -m 0644 systemd/remote-gpsd.conf "$(SHARE)/doc/locationd/examples/remote-gpsd.conf"
	install -m 0644 systemd/chrony-socket.conf "$(SHARE)/doc/locationd/examples"
	install -m 0644 Examples/status/* "$(SHARE)/doc/locationd/examples"
	for page in $(filter-out man/locationd-publish.8 man/locationd-nmea.8,$(wildcard man/*)) $(GENERATED)/*.[1-8]; do \
	    install -D -m 0644 $$page "$(SHARE)/man/man$${page##*.}/$${page##*/}" || exit 1; \
	done
	for program in locationd locationctl; do \
	    install -D -m 0644 $(GENERATED)/$$program.bash "$(SHARE)/bash-completion/completions/$$program" && \
	    install -D -m 0644 $(GENERATED)/$$program.zsh "$(DESTDIR)$(ZSHDIR)/_$$program" && \
	    install -D -m 0644 $(GENERATED)/$$program.fish "$(SHARE)/fish/vendor_completions.d/$$program.fish" || exit 1; \
	done

# Neither needs the programs, nor is needed by them: the daemon serves whatever sockets it is passed.
install-gpsd: ## Install the sockets for clients of gpsd, into DESTDIR and UNITDIR.
	install -d "$(DESTDIR)$(UNITDIR)/locationd.service.d" "$(DESTDIR)$(UNITDIR)/gpsd.socket.d"
	install -m 0644 systemd/gpsd/*.socket "$(DESTDIR)$(UNITDIR)"
	for unit in locationd.service gpsd.socket; do \
	    install -m 0644 systemd/gpsd/$$unit.conf "$(DESTDIR)$(UNITDIR)/$$unit.d/locationd-gpsd.conf" || exit 1; \
	done
	install -D -m 0644 systemd/gpsd/gpsd-source.conf \
	    "$(DESTDIR)$(PREFIX)/share/doc/locationd-gpsd/examples/gpsd-source.conf"

install-geoclue: ## Install what makes locationd GeoClue on the system bus, into DESTDIR and DBUSDIR.
	install -d "$(DESTDIR)$(DBUSDIR)/system.d" "$(DESTDIR)$(DBUSDIR)/system-services"
	install -m 0644 dbus/org.freedesktop.*.conf "$(DESTDIR)$(DBUSDIR)/system.d"
	install -m 0644 dbus/*.service "$(DESTDIR)$(DBUSDIR)/system-services"
	install -D -m 0644 etc/locationd-geoclue.toml "$(DESTDIR)/usr/share/locationd/conf.d/locationd-geoclue.toml"

# A package of its own: its libraries are not for machines that publish nothing.
install-publish: ROOT = $(DESTDIR)$(PREFIX)
install-publish: programs ## Install the publisher, its unit and its manual page, into DESTDIR, UNITDIR and below PREFIX.
	install -D -m 0755 "$(STATIC_BIN)/locationd-publish" "$(ROOT)/sbin/locationd-publish"
	install -d "$(DESTDIR)$(UNITDIR)"
	sed 's|/usr/sbin/locationd-publish|$(PREFIX)/sbin/locationd-publish|' systemd/publish/locationd-publish.service \
	    >"$(DESTDIR)$(UNITDIR)/locationd-publish.service"
	chmod 0644 "$(DESTDIR)$(UNITDIR)/locationd-publish.service"
	install -D -m 0644 systemd/publish/locationd-publish.sysusers "$(ROOT)/lib/sysusers.d/locationd-publish.conf"
	install -D -m 0644 etc/locationd-publish.toml \
	    "$(DESTDIR)/usr/share/locationd/apps/service:locationd-publish.toml"
	install -D -m 0644 etc/publish.toml "$(ROOT)/share/doc/locationd-publish/examples/publish.toml"
	install -m 0644 systemd/publish/broker-only.conf "$(ROOT)/share/doc/locationd-publish/examples"
	install -m 0755 Examples/fleet/consumer.py "$(ROOT)/share/doc/locationd-publish/examples"
	install -D -m 0644 man/locationd-publish.8 "$(ROOT)/share/man/man8/locationd-publish.8"
	install -D -m 0644 $(GENERATED)/locationd-publish.bash "$(ROOT)/share/bash-completion/completions/locationd-publish"
	install -D -m 0644 $(GENERATED)/locationd-publish.zsh "$(DESTDIR)$(ZSHDIR)/_locationd-publish"
	install -D -m 0644 $(GENERATED)/locationd-publish.fish \
	    "$(ROOT)/share/fish/vendor_completions.d/locationd-publish.fish"

# A package of its own: it has the network, which the daemon has not.
install-nmea: ROOT = $(DESTDIR)$(PREFIX)
install-nmea: programs ## Install locationd-nmea, its units and its manual page, into DESTDIR, UNITDIR and below PREFIX.
	install -D -m 0755 "$(STATIC_BIN)/locationd-nmea" "$(ROOT)/sbin/locationd-nmea"
	install -d "$(DESTDIR)$(UNITDIR)" "$(DESTDIR)/etc/locationd/nmea"
	for unit in systemd/nmea/*.service systemd/nmea/*.socket; do \
	    sed 's|/usr/sbin/locationd-nmea|$(PREFIX)/sbin/locationd-nmea|' $$unit \
	        >"$(DESTDIR)$(UNITDIR)/$${unit##*/}" && chmod 0644 "$(DESTDIR)$(UNITDIR)/$${unit##*/}" || exit 1; \
	done
	install -D -m 0644 systemd/nmea/locationd-nmea.sysusers "$(ROOT)/lib/sysusers.d/locationd-nmea.conf"
	install -d "$(ROOT)/share/doc/locationd-nmea/examples"
	install -m 0644 etc/nmea-*.toml "$(ROOT)/share/doc/locationd-nmea/examples"
	install -m 0755 Examples/nmea/*.py "$(ROOT)/share/doc/locationd-nmea/examples"
	install -D -m 0644 man/locationd-nmea.8 "$(ROOT)/share/man/man8/locationd-nmea.8"
	install -D -m 0644 $(GENERATED)/locationd-nmea.bash "$(ROOT)/share/bash-completion/completions/locationd-nmea"
	install -D -m 0644 $(GENERATED)/locationd-nmea.zsh "$(DESTDIR)$(ZSHDIR)/_locationd-nmea"
	install -D -m 0644 $(GENERATED)/locationd-nmea.fish "$(ROOT)/share/fish/vendor_completions.d/locationd-nmea.fish"

# CoreLocation, built once and for this version of the compiler: the module, its library, and the empty Clang submodules
# for imports such as CoreLocation.CLLocation. The module names the library, so that programs need no option for it.
SDK := $(BUILT)/sdk
sdk: build-packages profile ## Build CoreLocation for programs that do not have locationd among their packages, into .build/sdk.
	rm -f "$(STATIC_BIN)/libCoreLocationArchive.a" # It would keep the objects of files that are gone.
	$(SWIFT_BUILD) $(STATIC) --product CoreLocationArchive
	$(SWIFT_BUILD) -c release --target CoreLocation --scratch-path $(SDK)/module \
	    -Xswiftc -module-link-name -Xswiftc CoreLocation
	rm -rf $(SDK)/CoreLocation
	install -d $(SDK)/CoreLocation/CoreLocation.swiftmodule
	for kind in swiftmodule swiftdoc; do \
	    install -m 0644 $(SDK)/module/$(if $(TARGET),$(MODULE_TRIPLE)/)release/Modules/CoreLocation.$$kind \
	        $(SDK)/CoreLocation/CoreLocation.swiftmodule/$(MODULE_TRIPLE).$$kind || exit 1; \
	done
	install -D -m 0644 Sources/CCoreLocation/include/module.modulemap $(SDK)/CoreLocation/CoreLocation/module.modulemap
	sdk/archive.sh "$(STATIC_BIN)/libCoreLocationArchive.a" $(SDK)/CoreLocation/libCoreLocation.a
	chmod -R u=rwX,go=rX $(SDK)/CoreLocation

# The compiler has one folder for programs with the shared runtime, and one for those with the static one.
RESOURCES = $(shell $(SWIFT) -print-target-info | sed -n 's/^ *"runtimeResourcePath": "\(.*\)"/\1/p')
KNOWN_TOOLCHAIN = [ -d "$(RESOURCES)" ] || { echo "Where is Swift? Pass SWIFT=/path/to/usr/bin/swift." >&2; exit 1; }
install-sdk: sdk ## Install CoreLocation into the Swift toolchain, where every compilation finds it.
	@$(KNOWN_TOOLCHAIN)
	for resources in "$(RESOURCES)" "$(RESOURCES)_static"; do \
	    [ ! -d "$$resources" ] || { \
	        install -d "$(DESTDIR)$$resources/linux" && \
	        cp -Rp $(SDK)/CoreLocation/CoreLocation.swiftmodule $(SDK)/CoreLocation/libCoreLocation.a \
	            "$(DESTDIR)$$resources/linux" && \
	        cp -Rp $(SDK)/CoreLocation/CoreLocation "$(DESTDIR)$$resources"; } || exit 1; \
	done

uninstall-sdk: ## Remove CoreLocation from the Swift toolchain.
	@$(KNOWN_TOOLCHAIN)
	for resources in "$(RESOURCES)" "$(RESOURCES)_static"; do \
	    rm -rf "$(DESTDIR)$$resources/linux/CoreLocation.swiftmodule" "$(DESTDIR)$$resources/CoreLocation" \
	        "$(DESTDIR)$$resources/linux/libCoreLocation.a" || exit 1; \
	done

# What a package installs: packages leave the toolchain alone, and have a toolset for it instead.
SDKDIR ?= $(PREFIX)/lib/corelocation
PKGCONFIGDIR ?= $(PREFIX)/lib/pkgconfig
install-dev: sdk ## Install CoreLocation into SDKDIR, with a toolset and with a file for pkg-config.
	install -d "$(DESTDIR)$(SDKDIR)" "$(DESTDIR)$(PKGCONFIGDIR)"
	cp -Rp $(SDK)/CoreLocation/. "$(DESTDIR)$(SDKDIR)"
	sed 's|@SDKDIR@|$(SDKDIR)|' sdk/toolset.json >"$(DESTDIR)$(SDKDIR)/toolset.json"
	version=$$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog) && \
	sed -e 's|@SDKDIR@|$(SDKDIR)|' -e "s|@VERSION@|$$version|" sdk/corelocation.pc \
	    >"$(DESTDIR)$(PKGCONFIGDIR)/corelocation.pc"
	chmod 0644 "$(DESTDIR)$(SDKDIR)/toolset.json" "$(DESTDIR)$(PKGCONFIGDIR)/corelocation.pc"

# With the folder that packages have, with a toolchain of its own, and from source.
INSTALLED = $(CURDIR)/$(SDK)/installed
TOOLCHAIN = $(CURDIR)/$(SDK)/toolchain
test-sdk: sdk build ## Build and run a program with packages that say `#if canImport(CoreLocation)`.
	rm -rf "$(INSTALLED)" "$(TOOLCHAIN)"
	$(MAKE) -o sdk install-dev DESTDIR= SDKDIR="$(INSTALLED)/sdk" PKGCONFIGDIR="$(INSTALLED)/pkgconfig"
	PKG_CONFIG_PATH="$(INSTALLED)/pkgconfig" Tests/SDK/pkg-config.sh
	Tests/SDK/visible-symbols.sh "$(INSTALLED)/sdk/libCoreLocation.a"
	Tests/SDK/test.sh "$(BIN)" --toolset "$(INSTALLED)/sdk/toolset.json"
	cp -al "$(abspath $(RESOURCES)/../../..)" "$(TOOLCHAIN)" 2>/dev/null || \
	    { rm -rf "$(TOOLCHAIN)" && cp -a "$(abspath $(RESOURCES)/../../..)" "$(TOOLCHAIN)"; }
	find "$(TOOLCHAIN)" | sort >$(SDK)/before
	$(MAKE) -o sdk install-sdk DESTDIR= SWIFT="$(TOOLCHAIN)/usr/bin/swift"
	SWIFT="$(TOOLCHAIN)/usr/bin/swift" Tests/SDK/test.sh "$(BIN)"
	$(MAKE) uninstall-sdk DESTDIR= SWIFT="$(TOOLCHAIN)/usr/bin/swift"
	find "$(TOOLCHAIN)" | sort | diff $(SDK)/before -
	LOCATIOND_CHECKOUT="$(CURDIR)" Tests/SDK/test.sh "$(BIN)"

# The programs first: debhelper gives what it runs another home folder, where Swift would fetch everything again. The
# version names the release, so that a machine that is upgraded to the next one gets the packages of that.
DEB := $(if $(TARGET),.build/packages/$(TARGET),.build/deb)
deb: programs sdk deb-packages ## Build the Debian packages into .build/deb, and look them over with lintian.
	rm -rf $(DEB) $(DEB).new
	mkdir -p $(DEB).new/locationd
	cp -R debian $(DEB).new/locationd/debian
	sed -i '1s/(\(.*\))/(\1+deb$(DEBIAN_RELEASE))/' $(DEB).new/locationd/debian/changelog
	cd $(DEB).new/locationd && SOURCE="$(CURDIR)" dpkg-buildpackage --build=binary --no-sign $(HOST_ARCHITECTURE) \
	    $(if $(TARGET),--no-check-builddeps)
	lintian --fail-on error $(DEB).new/*.changes
	mv $(DEB).new $(DEB)
	@ls -l $(DEB)/*.deb

# The sources of the packages that this one depends on: a compiler in a root of its own fetches nothing.
define fetch_dependencies
for folder in build sdk/module; do $(SWIFT) package resolve --scratch-path $(1)/$$folder || exit 1; done
endef

deb-debian13: build-packages ## Build the packages for Debian 13 on amd64, into .build/packages/debian13-amd64.
	python3 -B packaging/prepare.py debian13-amd64
	$(call fetch_dependencies,.build/amd64)
	$(MAKE) deb TARGET=debian13-amd64

deb-arm64: build-packages arm64-packages ## Build the packages for Debian 13 on arm64, as of a Raspberry Pi, into .build/packages/debian13-arm64.
	python3 -B packaging/prepare.py debian13-arm64
	$(call fetch_dependencies,.build/arm64)
	$(MAKE) deb TARGET=debian13-arm64

# Signed with KEY, a key of gpg, if there is one. Whoever hosts it copies the folder.
repository: repository-packages ## Make an apt repository of the packages that are built, in .build/repository. KEY=NAME signs it.
	python3 -B packaging/repository.py .build/repository $(if $(KEY),--key "$(KEY)")

release-daemon: build-packages profile
	$(SWIFT) build $(STATIC) --product locationd

build-packages:
	$(call install_packages,$(BUILD_PACKAGES))

test-packages:
	$(call install_packages,$(TEST_PACKAGES))

arm64-packages:
	$(call install_packages,$(ARM64_PACKAGES))

repository-packages:
	$(call install_packages,$(REPOSITORY_PACKAGES))

machine-packages:
	$(call install_packages,$(MACHINE_PACKAGES))

bench-packages:
	$(call install_packages,$(BENCH_PACKAGES))

deb-packages:
	$(call install_packages,$(DEB_PACKAGES))

# The foreign clients that the tests run; without them those tests are skipped, by name.
venv: test-packages
	@[ -x .build/venv/bin/python ] && .build/venv/bin/python -c 'import gps3, gpsd, gpsdclient, gpsd_client_async, pynmea2, serial, varlink' 2>/dev/null || \
	    { mkdir -p .build && python3 -m venv .build/venv && \
	        .build/venv/bin/pip install --quiet gps3 gpsd-py3 gpsdclient gpsd-client-async pynmea2 pyserial varlink; } || \
	    { echo "PyPI cannot be reached: the tests with its clients are skipped"; rm -rf .build/venv; }
