##@ Test

# Most tests start daemons, and a daemon gives up a receiver that is silent for 5 s. On two processors, all tests take
# 125 s with eight at once, which leaves the processors idle half of the time, 87 s with sixteen, 84 s with 24. Beside
# four busy processes no run with sixteen has failed; in a run without a limit, 13 tests failed.
TESTS_AT_ONCE ?= 16
TEST_ENVIRONMENT = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(TESTS_AT_ONCE) \
    VARLINK_PYTHON=$$([ -x .build/venv/bin/python ] && echo $(CURDIR)/.build/venv/bin/python)
# No test uses XCTest.
TEST = env $(TEST_ENVIRONMENT) $(SWIFT) test --disable-xctest

## Build with warnings as errors, check the format, run all tests, and list skipped ones. NMEA_CORPUS=FOLDER adds your
## recorded logs: FOLDER/logs/NAME.nmea, with the expected fixes in FOLDER/expected/NAME.jsonl.
test: build-packages test-packages venv lint check-targets
	$(SWIFT) build --build-tests
	python3 -B Tests/Tools/run_tests.py "$$($(SWIFT) build --show-bin-path)/locationdPackageTests.xctest" \
	    $(TEST) --skip-build --parallel

## Check that each target and each command for make in the documents can begin: its rule expands, the files in it exist,
## and its programs answer --help. Tests/Tools/record.py COMMAND runs one of them and records it in Tests/RUNS.md.
check-targets: test-packages venv
	python3 -B Tests/Tools/check_targets.py

HOURS ?= 24

## Compare all that apps and users may read in two worlds that differ only in the sky and in movement, at each second of
## a virtual day. In make test, they pass half an hour.
two-worlds: build-packages test-packages venv
	$(SWIFT) build --build-tests
	TWO_WORLDS_HOURS=$(HOURS) $(TEST) --skip-build --filter TwoWorldsTests

DEPTH ?= 12
STATES ?= 20000000
MODEL := .build/model

## Try every order of up to DEPTH=12 requests, answers, decisions, failed writes, crashes and changes of the clock on
## the state machine for authorizations, with one app, two and four. Prints the number of states, or the shortest way to
## a fault. Each of the five searches ends at STATES=20000000, which need 1 GB; DEPTH=8 takes minutes, not hours.
model: build-packages
	LOCATIOND_TESTS=AuthorizationPolicyTests $(SWIFT) build -c release --product locationdPackageTests \
	    --scratch-path $(MODEL) -Xswiftc -enable-testing
	MODEL_DEPTH=$(DEPTH) MODEL_STATES=$(STATES) $(MODEL)/release/locationdPackageTests.xctest \
	    --testing-library swift-testing --filter AuthorizationModelTests

RUNS ?= 20

## Run the built tests RUNS=20 times alone and RUNS times beside four busy processes, and print the failures.
## BUSY=PROGRAM is run as each of the four, with its number.
test-stress: build-packages test-packages venv
	$(SWIFT) build --build-tests
	Tests/Tools/stress.sh $(RUNS) .build/stress $(TEST) --skip-build --parallel

## Run all tests under the thread sanitizer, then under the address sanitizer.
# Each sanitizer has a build folder of its own. Leaks are not detected: programs end while connections are open, and the
# sanitizer does not see Swift's references with tag bits, such as references to the payload of an enum. The memory of a
# program after a flood is not compared, since sanitizers need and keep more. A process that aborts under the thread
# sanitizer hangs in the backtrace that Swift's runtime prints.
sanitize: build-packages test-packages venv
	for sanitizer in thread address; do \
	    $(SWIFT) build --build-tests --sanitize=$$sanitizer --scratch-path .build/$$sanitizer && \
	    TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Tools/thread-sanitizer.supp ASAN_OPTIONS=detect_leaks=0 \
	        SWIFT_BACKTRACE=enable=no \
	        $(TEST) --skip-build --parallel --sanitize=$$sanitizer \
	        --scratch-path .build/$$sanitizer || exit 1; \
	done

COVERAGE := .build/coverage

## Print the line coverage of each module. FILES=MODULE lists that module's files.
coverage: build-packages test-packages venv
	$(SWIFT) build --build-tests --enable-code-coverage --scratch-path $(COVERAGE)
	rm -rf $(COVERAGE)/profiles
	bin=$$($(SWIFT) build --scratch-path $(COVERAGE) --show-bin-path) && \
	LLVM_PROFILE_FILE="$(CURDIR)/$(COVERAGE)/profiles/%4m.profraw" $(TEST_ENVIRONMENT) \
	    $$bin/locationdPackageTests.xctest --testing-library swift-testing && \
	"$(LLVM)llvm-profdata" merge --failure-mode=all -o $(COVERAGE)/all.profdata $(COVERAGE)/profiles/*.profraw && \
	"$(LLVM)llvm-cov" export -summary-only -instr-profile=$(COVERAGE)/all.profdata \
	    $$bin/locationdPackageTests.xctest $(foreach program,$(PROGRAMS),-object $$bin/$(program)) | \
	    Tests/Tools/coverage.py $(if $(FILES),--files $(FILES))

# Each is a function in Tests/Fuzz and a folder of seeds there. Findings stay in .build/fuzz/corpus, for next time.
FUZZ_TARGETS := nmea fixes frames interfaces gpx report gpsd gpsd-requests geoclue peers sockdiag shift datagrams answers \
    rtcm casters beacons wireless
FUZZ := .build/fuzz
FUZZ_SECONDS ?= 60

## Feed damaged input to each of FUZZ_TARGETS, for FUZZ_SECONDS=60. A finding becomes a test.
fuzz: build-packages
	LOCATIOND_FUZZ=1 $(SWIFT) build -c release --product Fuzz --scratch-path $(FUZZ) \
	    -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=fuzzer,address
	swiftc -sanitize=fuzzer,address -use-ld=lld -o $(FUZZ)/fuzz $(FUZZ)/release/libFuzz.a
	for target in $(FUZZ_TARGETS); do \
	    echo "$$target" && mkdir -p $(FUZZ)/corpus/$$target && \
	    FUZZ_TARGET=$$target SWIFT_BACKTRACE=enable=no $(FUZZ)/fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=10 \
	        -print_final_stats=1 -artifact_prefix=$(FUZZ)/$$target- $(FUZZ)/corpus/$$target Tests/Fuzz/Seeds/$$target \
	        || exit 1; \
	done

## Send calls made from the interface definitions, right and wrong, to both sockets of the daemon, for
## FUZZ_SECONDS=60. SEED=NUMBER repeats them.
fuzz-daemon: release-daemon
	python3 -B Tests/Adversary fuzz "$(RELEASE_DAEMON)" --seconds $(FUZZ_SECONDS) $(if $(SEED),--seed $(SEED))

## Attack the daemon as a user without a grant, as a device nearby and as a false BlueZ, and locationd-nmea as a sender
## and a reader, also while locationd-peers does not answer, and measure the effect on an app with a grant.
## ADVERSARY=--each makes one attack after the other; ADVERSARY=--help lists the options.
# As root, the attacks come from another user than the daemon's clients, as real ones would; otherwise from the same.
adversary: release-daemon
	$(call build_products,$(PROGRAMS),$(STATIC))
	python3 -B Tests/Adversary holes "$(dir $(RELEASE_DAEMON))"
	python3 -B Tests/Adversary held-peers "$(RELEASE_DAEMON)" "$(dir $(RELEASE_DAEMON))locationd-peers"
	python3 -B Tests/Adversary beacons "$(RELEASE_DAEMON)"
	python3 -B Tests/Adversary attack "$(RELEASE_DAEMON)" $(ADVERSARY)

## Run clients of gpsd and GeoClue by others, unchanged, through refused, granted, reduced and revoked, beside
## gpsd and GeoClue; senders of NMEA and casters by others, and a hostile sender; Prometheus on the metrics, and a strict
## server of Traccar's protocol. It installs them, Firefox among them. CLIENTS=NAMES runs some.
test-clients: release-daemon venv
	$(call install_packages,$(CLIENT_PACKAGES))
	$(call build_products,locationctl locationd-peers locationd-nmea locationd-ntrip locationd-publish,$(STATIC))
	python3 -B Tests/Clients --bin "$(dir $(RELEASE_DAEMON))" $(CLIENTS)

## Have the daemon ask, set and put back emulated receivers of nine kinds, which lose answers, refuse, lie, flood, restart
## and sleep; parse each frame by libraries of others. CASES=NAMES runs some. Before, try the emulators by themselves.
test-receivers: build venv
	.build/venv/bin/python -B Tests/Receivers selftest
	.build/venv/bin/python -B Tests/Receivers "$(BIN)" $(CASES)

## Open reports of logs in Chromium, which it installs: nothing may be cut off, overlap or be hard to read at any
## width, light, dark, printed or without script; zoom, move and point; no request, nothing in the console;
## compare distances, gaps and CEP with a second computation. LOGS=FILES adds logs.
# As the user who builds, not as root: Chromium runs without its sandbox, on pages that were just made.
test-report: build-packages
	$(call install_packages,$(BROWSER_PACKAGES))
	$(call build_products,locationctl)
	python3 -B Tests/Report "$(BIN)/locationctl" $(LOGS)

## Kill the publisher and its server 200 times each, and cut the network for three minutes: with a broker, an
## HTTPS server and batches; the server must have every report, once and in order. As root.
## PUBLISH="--moments 20 --cut 0" is quicker, and needs no root.
test-publish: build test-packages
	for server in mqtt https overland; do \
	    python3 -B Tests/Benchmarks/Publishing/publish_endurance.py "$(BIN)" --server $$server $(PUBLISH) || exit 1; done
