##@ Measure

## Measure latency, fan-out, memory and start, side by side with gpsd. BENCH="--many 10000" adds subscribers;
## BENCH=--help lists the options.
bench: build-packages test-packages bench-packages profile
	$(call build_products,locationd locationctl locationd-bench,$(STATIC))
	"$$($(SWIFT) build $(STATIC) --show-bin-path)/locationd-bench" $(BENCH)

## Measure the delay of a location through locationd-nmea, in and out.
bench-nmea: release-daemon
	$(call build_products,locationd-nmea,$(STATIC))
	python3 -B Tests/Benchmarks/nmea_latency.py "$(dir $(RELEASE_DAEMON))"

## Measure corrections from a caster to a receiver: delay, processor, and memory under a flood.
## CORRECTIONS="--seconds 10 --slow 10" is quicker.
bench-corrections: release-daemon
	$(call build_products,locationd-ntrip,$(STATIC))
	python3 -B Tests/Benchmarks/corrections.py "$(dir $(RELEASE_DAEMON))" $(CORRECTIONS)

## Compare chrony's offset with a known one, with the real chronyd. CHRONY="--duration 3600 --faults" adds options.
bench-chrony: release-daemon test-packages
	python3 -B Tests/Benchmarks/chrony_offset.py "$(RELEASE_DAEMON)" $(CHRONY)

## Measure the time for sending a day's queue to an HTTPS server on this machine.
## BACKLOG="--server https --count 5000" sends one report a request.
bench-backlog: build test-packages
	python3 -B Tests/Benchmarks/Publishing/publish_backlog.py "$(BIN)" $(BACKLOG)

## Play a fleet of 1,000 units through one broker for ten minutes, with restarts of the broker and killed units;
## print the costs of a unit. FLEET="--units 20 --seconds 20" is quicker.
bench-fleet: build-packages test-packages
	$(call build_products,publish-load,-c release)
	python3 -B Tests/Benchmarks/Publishing/fleet_load.py "$$($(SWIFT) build -c release --show-bin-path)" $(FLEET)

## Do the same through two brokers, one mirroring the other, into PostgreSQL: kill either broker ten times, and count
## the rows (docs/fleet.md). FLEET="--units 20 --seconds 20" is quicker.
bench-fleet-mirror: build-packages
	$(call install_packages,$(FLEET_PACKAGES))
	$(call build_products,publish-load,-c release)
	python3 -B Tests/Benchmarks/Publishing/fleet_mirror.py "$$($(SWIFT) build -c release --show-bin-path)" $(FLEET)

PROFILING := .build/profiling

## Count the blocks of an epoch again, into packaging/epoch.profile, for the compiler's order of blocks. Then make
## epoch-order.
epoch-profile: build-packages profile
	$(call build_products,locationd-bench,$(STATIC))
	$(SWIFT) build -c release --static-swift-stdlib --scratch-path $(PROFILING) --product locationd \
	    -Xswiftc -Xfrontend -Xswiftc -ir-profile-generate $(PROFILE_NAMES) -Xlinker -u__llvm_profile_runtime \
	    -Xlinker $(wildcard $(LLVM)../lib/clang/*/lib/linux/libclang_rt.profile-$(shell uname -m).a)
	"$$($(SWIFT) build $(STATIC) --show-bin-path)/locationd-bench" --profiles $(PROFILING) \
	    --locationd "$$($(SWIFT) build -c release --scratch-path $(PROFILING) --show-bin-path)/locationd"
	for run in shorter longer; do \
	    "$(LLVM)llvm-profdata" merge --text --sparse --output=$(PROFILING)/$$run.text $(PROFILING)/$$run || exit 1; done
	Tests/Tools/epoch_profile.py $(PROFILING)/shorter.text $(PROFILING)/longer.text 500 >packaging/epoch.profile

## List the functions of an epoch again, in packaging/epoch.order, for the linker's order of functions.
# With the symbols, which the linker strips otherwise, and without instructions that valgrind may not know.
epoch-order: STRIP := -Xlinker -S
epoch-order: build-packages bench-packages profile
	$(call build_products,locationd locationd-bench,$(STATIC))
	"$$($(SWIFT) build $(STATIC) --show-bin-path)/locationd-bench" --order packaging/epoch.order
