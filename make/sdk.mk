##@ CoreLocation

# CoreLocation, built once and for this version of the compiler: its modules, their library, and the empty Clang
# submodules for imports such as CoreLocation.CLLocation. The modules name the library, so that programs need no option.
SDK := $(BUILT)/sdk
SDK_MODULES := CoreLocation CoreLocationGeocoding Contacts

## Build CoreLocation for programs without the package locationd, into .build/sdk.
sdk: build-packages profile
	rm -f "$(STATIC_BIN)/libCoreLocationArchive.a" # It would keep the objects of removed files.
	$(SWIFT_BUILD) $(STATIC) --product CoreLocationArchive
	rm -rf $(SDK)/CoreLocation
	for module in $(SDK_MODULES); do \
	    $(SWIFT_BUILD) -c release --target $$module --scratch-path $(SDK)/module \
	        -Xswiftc -module-link-name -Xswiftc CoreLocation || exit 1; \
	    for kind in swiftmodule swiftdoc; do \
	        install -D -m 0644 $(SDK)/module/$(if $(TARGET),$(MODULE_TRIPLE)/)release/Modules/$$module.$$kind \
	            $(SDK)/CoreLocation/$$module.swiftmodule/$(MODULE_TRIPLE).$$kind || exit 1; \
	    done; \
	done
	install -D -m 0644 Sources/Client/CCoreLocation/include/module.modulemap \
	    $(SDK)/CoreLocation/CoreLocation/module.modulemap
	packaging/corelocation/archive.sh "$(STATIC_BIN)/libCoreLocationArchive.a" $(SDK)/CoreLocation/libCoreLocation.a
	chmod -R u=rwX,go=rX $(SDK)/CoreLocation

# The compiler has one folder for programs with the shared runtime, and one for programs with the static runtime.
RESOURCES = $(shell $(SWIFT) -print-target-info | sed -n 's/^ *"runtimeResourcePath": "\(.*\)"/\1/p')
KNOWN_TOOLCHAIN = [ -d "$(RESOURCES)" ] || { echo "Where is Swift? Pass SWIFT=/path/to/usr/bin/swift." >&2; exit 1; }

## Install CoreLocation into the Swift toolchain, where every compilation finds it.
install-sdk: sdk
	@$(KNOWN_TOOLCHAIN)
	for resources in "$(RESOURCES)" "$(RESOURCES)_static"; do \
	    [ ! -d "$$resources" ] || { \
	        install -d "$(DESTDIR)$$resources/linux" && \
	        cp -Rp $(SDK)/CoreLocation/*.swiftmodule $(SDK)/CoreLocation/libCoreLocation.a \
	            "$(DESTDIR)$$resources/linux" && \
	        cp -Rp $(SDK)/CoreLocation/CoreLocation "$(DESTDIR)$$resources"; } || exit 1; \
	done

## Remove CoreLocation from the Swift toolchain.
uninstall-sdk:
	@$(KNOWN_TOOLCHAIN)
	for resources in "$(RESOURCES)" "$(RESOURCES)_static"; do \
	    rm -rf "$(DESTDIR)$$resources/CoreLocation" "$(DESTDIR)$$resources/linux/libCoreLocation.a" \
	        $(foreach module,$(SDK_MODULES),"$(DESTDIR)$$resources/linux/$(module).swiftmodule") || exit 1; \
	done

# A package's files: packages leave the toolchain alone, and have a toolset for it instead.
SDKDIR ?= $(PREFIX)/lib/corelocation
PKGCONFIGDIR ?= $(PREFIX)/lib/pkgconfig

## Install CoreLocation into SDKDIR, with a toolset and with a file for pkg-config.
install-dev: sdk
	install -d "$(DESTDIR)$(SDKDIR)" "$(DESTDIR)$(PKGCONFIGDIR)"
	cp -Rp $(SDK)/CoreLocation/. "$(DESTDIR)$(SDKDIR)"
	sed 's|@SDKDIR@|$(SDKDIR)|' packaging/corelocation/toolset.json >"$(DESTDIR)$(SDKDIR)/toolset.json"
	version=$$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog) && \
	sed -e 's|@SDKDIR@|$(SDKDIR)|' -e "s|@VERSION@|$$version|" packaging/corelocation/corelocation.pc \
	    >"$(DESTDIR)$(PKGCONFIGDIR)/corelocation.pc"
	chmod 0644 "$(DESTDIR)$(SDKDIR)/toolset.json" "$(DESTDIR)$(PKGCONFIGDIR)/corelocation.pc"

# With the folder of packages, with a toolchain of its own, and from source.
INSTALLED = $(CURDIR)/$(SDK)/installed
TOOLCHAIN = $(CURDIR)/$(SDK)/toolchain

## Build and run a program with packages that say `#if canImport(CoreLocation)`.
test-sdk: sdk build
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
