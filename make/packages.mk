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
