# The software for building and testing, from apt and PyPI.

# Each list has the name of the target that installs it.
build-packages := binutils gettext pkg-config libcurl4-openssl-dev libgps-dev libmosquitto-dev libsqlite3-dev \
    libssl-dev libsystemd-dev libudev-dev
test-packages := gpsd gpsd-clients python3-gps python3-venv libxml2-utils bubblewrap dbus-bin dbus-daemon systemd udev \
    umockdev locales mandoc mosquitto mosquitto-clients openssl python3-paho-mqtt socat util-linux iproute2 chrony \
    polkitd avahi-daemon avahi-utils modemmanager gir1.2-umockdev-1.0 python3-dbusmock python3-gi dunst \
    xfce4-notifyd xdotool xvfb xdg-desktop-portal apparmor
bench-packages := gpsd-clients valgrind
deb-packages := debhelper dh-apparmor dpkg-dev lintian
arm64-packages := binutils-aarch64-linux-gnu debian-archive-keyring qemu-user-static
repository-packages := apt-utils dpkg-dev gpg
machine-packages := qemu-system-x86 qemu-system-arm qemu-utils debootstrap debian-archive-keyring gpgv e2fsprogs python3

CLIENT_PACKAGES = $(shell python3 -B Tests/Clients --packages)
BROWSER_PACKAGES := chromium chromium-driver fonts-dejavu-core
FLEET_PACKAGES := mosquitto mosquitto-clients postgresql python3-paho-mqtt python3-psycopg2

# Installs missing Debian packages; silent if all are installed.
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

PACKAGE_LISTS := $(addsuffix -packages,build test bench deb arm64 repository machine)
.PHONY: $(PACKAGE_LISTS)
$(PACKAGE_LISTS):
	$(call install_packages,$($@))

# The foreign clients that the tests run; without them those tests are skipped, by name.
CLIENTS_OF_PYPI := gps3 gpsd-py3 gpsdclient gpsd-client-async pynmea2 pyserial varlink pynmeagps pyubx2 \
    pygnssutils
venv: test-packages
	@[ -x .build/venv/bin/python ] && \
	    .build/venv/bin/python -c 'import gps3, gpsd, gpsdclient, gpsd_client_async, pynmea2, serial, varlink, pynmeagps, pyubx2, pygnssutils' \
	        2>/dev/null || \
	    { mkdir -p .build && python3 -m venv .build/venv && \
	        .build/venv/bin/pip install --quiet $(CLIENTS_OF_PYPI); } || \
	    { echo "PyPI cannot be reached: the tests with its clients are skipped"; rm -rf .build/venv; }

# What checks the lists of `make sbom`.
SPDX_TOOLS_VERSION := 0.8.5
SPDX_TOOLS := .build/spdx/bin/pyspdxtools
spdx:
	$(call install_packages,python3-venv)
	@[ -x $(SPDX_TOOLS) ] || { mkdir -p .build && python3 -m venv .build/spdx && \
	    .build/spdx/bin/pip install --quiet spdx-tools==$(SPDX_TOOLS_VERSION); }

# It has a folder of its own: the tests run the clients wherever .build/venv exists.
RUFF_VERSION := 0.17.6
RUFF := .build/ruff/bin/ruff
ruff:
	$(call install_packages,python3-venv)
	@$(RUFF) --version 2>/dev/null | grep -qx 'ruff $(RUFF_VERSION)' || \
	    { mkdir -p .build && python3 -m venv .build/ruff && \
	        .build/ruff/bin/pip install --quiet ruff==$(RUFF_VERSION); } || \
	    { echo "PyPI cannot be reached: the Python code is not checked"; rm -rf .build/ruff; }
