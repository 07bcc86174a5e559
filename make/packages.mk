##@ Packages

DEB := $(if $(TARGET),.build/packages/$(TARGET),.build/deb)

## Build the Debian packages into .build/deb, and check them with lintian.
# The programs first: debhelper runs its commands with another home folder, where Swift would fetch everything again.
# The version names the release, so that a machine upgraded to the next release gets its packages.
deb: programs sdk deb-packages
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

## Build the packages for Debian 13 on amd64, into .build/packages/debian13-amd64. It fetches libraries through apt.
deb-debian13: build-packages
	python3 -B packaging/prepare.py debian13-amd64
	$(call fetch_dependencies,.build/amd64)
	$(MAKE) deb TARGET=debian13-amd64

## Build the packages for Debian 13 on arm64, as of a Raspberry Pi, into .build/packages/debian13-arm64. It fetches
## libraries and Debian's compiler through apt (docs/packagers.md).
deb-arm64: build-packages arm64-packages
	python3 -B packaging/prepare.py debian13-arm64
	$(call fetch_dependencies,.build/arm64)
	$(MAKE) deb TARGET=debian13-arm64

## Make an apt repository of the packages that are built, in .build/repository. KEY=NAME signs it.
# Signed with KEY, a key of gpg, if there is one. The folder can be copied to any web server.
repository: repository-packages
	python3 -B packaging/repository.py .build/repository $(if $(KEY),--key "$(KEY)")

##@ Release

VERSION ?= $(shell sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)
KEY ?=
RELEASE = .build/releases/$(VERSION)
GPG = gpg --batch --yes --armor --detach-sign --local-user "$(KEY)"

## Make the release VERSION=0.9.0 of the commit that is checked out, in .build/releases/0.9.0, and tag it: packages for
## Debian 12 and 13 in an apt repository, the sources, the lists of their parts, checksums. KEY=NAME signs it. No test
## is run: Tests/RUNS.md has to have the runs.
release: release-check
	rm -rf $(RELEASE)
	$(MAKE) deb
	$(MAKE) deb-debian13
	$(MAKE) deb-arm64
	$(MAKE) repository
	$(MAKE) source
	$(MAKE) sbom
	$(MAKE) sbom TARGET=debian13-amd64
	$(MAKE) sbom TARGET=debian13-arm64
	cp -R .build/repository $(RELEASE)/repository
	cd $(RELEASE) && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | \
	    xargs -d '\n' sha256sum >SHA256SUMS
	$(if $(KEY),$(GPG) $(RELEASE)/SHA256SUMS)
	git tag $(if $(KEY),--sign --local-user "$(KEY)",--annotate) --message "locationd $(VERSION)" "v$(VERSION)"
	@cat $(RELEASE)/SHA256SUMS

## Print what is missing to a release of VERSION=0.9.0.
release-check: repository-packages
	python3 -B packaging/checklist.py "$(VERSION)" $(if $(KEY),--key "$(KEY)")

## Make one file of the sources and of the Swift packages that they need, in .build/releases: it builds without a
## network.
source:
	$(SWIFT) package resolve
	python3 -B packaging/sources.py "$(RELEASE)" "$(VERSION)"

## Write what the packages are made of, as SPDX, in .build/releases, and check it. After make deb; with TARGET, after
## make deb-debian13 or make deb-arm64.
sbom: build-packages spdx
	python3 -B packaging/sbom.py $(DEB) "$(STATIC_BIN)" "$(RELEASE)" $(if $(SYSROOT),--sysroot "$(SYSROOT)") \
	    --swift "$${SWIFT_VERSION:-$$($(SWIFT) --version 2>/dev/null | sed -n 's/.*\(Swift version [^ ]*\).*/\1/p')}"
	for file in $(RELEASE)/*.spdx.json; do $(SPDX_TOOLS) --infile "$$file" || exit 1; done

## Build this machine's packages a second time, in another folder, with another locale, time zone and mask and on one
## processor core, and compare them with those of make deb byte for byte.
test-reproducible: deb
	rm -rf .build/again
	git clone --quiet --no-hardlinks . .build/again
	cd .build/again && umask 027 && LC_ALL=C TZ=Asia/Tokyo taskset --cpu-list 0 make deb
	python3 -B packaging/compare.py $(DEB) .build/again/$(DEB)
