##@ Documents

## Make the documentation of the client libraries: .build/docs/MODULE.doccarchive, for any web server.
# To load a module that the package manager has built, the compiler needs the C modules behind it. LocationClient's
# exports from other modules are documented with it. A broken link is an error.
docs: build-packages
	$(SWIFT) build --target LocationClient
	$(SWIFT) build --target CoreLocation
	@rm -rf .build/docs
	@for map in "$(BIN)"/*.build/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap \
	    Sources/*/*/include/module.modulemap; do set -- "$$@" -Xcc -fmodule-map-file="$$map"; done; \
	for module in LocationClient CoreLocation; do \
	    mkdir -p .build/docs/symbols/$$module && \
	    $(SWIFT) symbolgraph-extract -module-name $$module -target $(TRIPLE) -I "$(BIN)/Modules" "$$@" \
	        -minimum-access-level public -skip-synthesized-members -output-dir .build/docs/symbols/$$module \
	        -experimental-allowed-reexported-modules=LocationModel,LocationProtocol && \
	    docc convert Sources/Client/$$module/$$module.docc --additional-symbol-graph-dir .build/docs/symbols/$$module \
	        --output-path .build/docs/$$module.doccarchive --fallback-bundle-identifier io.locationd.$$module \
	        --fallback-default-module-kind Library --warnings-as-errors || exit 1; \
	done

## Print the state of every symbol of CoreLocation, in Swift 5 and in Swift 6 mode.
symbols:
	@$(SWIFT) build --target CoreLocation
	@Tests/Client/CoreLocationTests/Symbols/symbols.py "$(BIN)/Modules"

## Write the page of CoreLocation's documentation about the behaviour of each symbol, from the list of symbols.
symbol-page:
	Tests/Client/CoreLocationTests/Symbols/symbols.py --page \
	    >Sources/Client/CoreLocation/CoreLocation.docc/SymbolBySymbol.md

## Make the pictures of the documents again, docs/pictures: the dashboard and prompts in a terminal, a report in
## Chromium.
# In a mount namespace, so that the apps in the pictures have usual paths.
pictures: build
	$(call install_packages,$(BROWSER_PACKAGES) locales tmux)
	unshare --mount --map-root-user python3 -B Tests/Tools/pictures.py "$(BIN)" docs/pictures
