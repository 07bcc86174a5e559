# locationd: `make help` lists the targets. The rules are in make/, a file for each group.
SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
CONFIGURATION := debug
BIN = $(shell $(SWIFT) build -c $(CONFIGURATION) --show-bin-path)
PROGRAMS := locationd locationctl locationd-peers locationd-publish locationd-nmea locationd-ntrip
SWIFT_SOURCES := Sources Tests Examples/Sources Package.swift Examples/Package.swift
PYTHON_SOURCES := Tests packaging Examples

# Builds the products $(1) with the options $(2).
build_products = for program in $(1); do $(SWIFT) build $(2) --product $$program || exit 1; done

##@ Build

## Show this list.
help:
	@awk -f make/help.awk $(MAKEFILE_LIST)

## Build the programs, into .build/debug.
build: build-packages
	$(call build_products,$(PROGRAMS))

## Run the daemon on its simulated receiver and watch the location, until Ctrl-C.
demo: build
	@directory=$$(mktemp -d); touch $$directory/locationd.toml; \
	export LOCATIOND_RUNTIME_DIRECTORY=$$directory/run; ctl="$(BIN)/locationctl"; \
	"$(BIN)/locationd" --runtime-directory $$directory/run --state-directory $$directory/state \
	    --config $$directory/locationd.toml --receiver simulated --log-level warning & daemon=$$!; \
	trap 'kill $$daemon 2>/dev/null; wait $$daemon; rm -rf $$directory' EXIT; trap 'exit 0' INT TERM; \
	until [ -S $$directory/run/manage/io.locationd.Manage ]; do kill -0 $$daemon || exit 1; sleep 0.1; done; \
	$$ctl grant "$$($$ctl status --json | sed 's/.*"app":"\([^"]*\)".*/\1/')" && $$ctl watch $(WATCH)

## Check the format of the sources, the Python code with ruff (Tests/ruff.toml), and the translations in data/po.
lint: ruff
	$(SWIFT) format lint --strict --recursive $(SWIFT_SOURCES)
	[ ! -x $(RUFF) ] || $(RUFF) check --config Tests/ruff.toml --no-cache --quiet $(PYTHON_SOURCES)
	python3 -B Tests/Tools/messages.py

## Collect the texts for people in data/po/locationctl.pot, and add new ones to the translations.
messages: build-packages
	python3 -B Tests/Tools/messages.py --update

## Format the sources.
format:
	$(SWIFT) format --in-place --recursive $(SWIFT_SOURCES)

## Build the programs in Examples/, which are a package of their own.
examples: build-packages
	$(SWIFT) build --package-path Examples --scratch-path .build/examples

include make/dependencies.mk make/release.mk
include make/documents.mk make/test.mk make/machine.mk make/bench.mk make/packages.mk make/install.mk make/sdk.mk

# No rule makes a file of its name, except those whose target is a path or a variable.
.PHONY: $(shell sed -n 's/^\([a-z][a-z0-9-]*\):.*/\1/p' $(MAKEFILE_LIST))
