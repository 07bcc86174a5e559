##@ Install

# The folders that differ between distributions, for `make install`.
UNITDIR ?= $(PREFIX)/lib/systemd/system
UDEVDIR ?= /usr/lib/udev
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
DBUSDIR ?= /usr/share/dbus-1
POLKITDIR ?= /usr/share/polkit-1
SHARE = $(PREFIX)/share

# A manifest is called like its app, with the path as `systemd-escape --path` writes it.
manifest = exe:$(subst /,-,$(subst -,\x2d,$(patsubst /%,%,$(1)))).toml
# The desktop portal. Other distributions have it in /usr/lib.
PORTAL ?= /usr/libexec/xdg-desktop-portal

# An entry of the lists below is FILE:PLACE. A place that ends in a slash is a folder.
into = $(addsuffix :$(1)/,$(2))
documents = $(call into,$(SHARE)/doc/$(1),$(2))
pages = $(foreach page,$(1),$(page):$(SHARE)/man/man$(patsubst .%,%,$(suffix $(page)))/)
completions = $(GENERATED)/$(1).bash:$(SHARE)/bash-completion/completions/$(1) $(GENERATED)/$(1).zsh:$(ZSHDIR)/_$(1) \
    $(GENERATED)/$(1).fish:$(SHARE)/fish/vendor_completions.d/$(1).fish

profiles = $(call into,/etc/apparmor.d,$(addprefix data/apparmor/,$(1)))

# Installs the entries $(2) below DESTDIR with the mode $(1). Units and profiles name programs below PREFIX.
define install_files
for entry in $(patsubst %,'%',$(2)); do \
    file=$${entry%%:*}; place=$${entry#*:}; case $$place in */) place=$$place$${file##*/};; esac; \
    install -D -m $(1) "$$file" "$(DESTDIR)$$place" || exit 1; \
    case $$place in *.service | *.socket | *.timer | */apparmor.d/*) sed -i \
        -e 's|/usr/sbin/locationd|$(PREFIX)/sbin/locationd|' \
        -e 's|/usr/libexec/|$(PREFIX)/libexec/|' -e 's|/usr/bin/locationctl|$(PREFIX)/bin/locationctl|' \
        "$(DESTDIR)$$place" || exit 1;; esac; \
done
endef

INSTALLED_PROGRAMS = $(call into,$(PREFIX)/sbin,$(STATIC_BIN)/locationd) \
    $(call into,$(PREFIX)/bin,$(STATIC_BIN)/locationctl) $(call into,$(PREFIX)/libexec,$(STATIC_BIN)/locationd-peers)
INSTALLED_FILES = \
    $(call into,$(UNITDIR),$(wildcard systemd/*.service systemd/*.socket systemd/*.timer)) \
    $(call into,$(PREFIX)/lib/systemd/user,systemd/user/locationctl-agent.service) \
    systemd/locationd.sysusers:$(PREFIX)/lib/sysusers.d/locationd.conf \
    systemd/locationd.tmpfiles:$(PREFIX)/lib/tmpfiles.d/locationd.conf \
    $(call into,$(UDEVDIR)/rules.d,$(wildcard udev/*.rules)) \
    $(call into,$(UDEVDIR)/hwdb.d,$(wildcard udev/*.hwdb)) \
    $(call into,$(POLKITDIR)/actions,data/polkit/io.locationd.policy) \
    $(call into,$(POLKITDIR)/rules.d,data/polkit/io.locationd.rules) \
    $(call into,$(DBUSDIR)/system.d,data/dbus/io.locationd.conf) \
    $(call profiles,locationd locationd-peers) \
    $(call into,$(SHARE)/icons/hicolor/scalable/apps,data/desktop/io.locationd.svg) \
    data/etc/locationctl.toml:/usr/share/locationd/apps/$(call manifest,$(PREFIX)/bin/locationctl) \
    $(call documents,locationd,README.md NEWS.md SECURITY.md ARCHITECTURE.md CONTRIBUTING.md) \
    $(call documents,locationd/docs,$(wildcard docs/*.md)) \
    $(call documents,locationd/docs/pictures,$(wildcard docs/pictures/*)) \
    $(call documents,locationd/examples,systemd/remote-gpsd.conf systemd/chrony-socket.conf) \
    $(call documents,locationd/examples,$(wildcard Examples/status/*)) \
    $(call pages,$(filter-out man/locationd-publish.8 man/locationd-nmea.8 man/locationd-ntrip.8, \
        $(wildcard man/*))) \
    $(call pages,$(GENERATED)/io.locationd.Location.7) \
    $(call completions,locationd) $(call completions,locationctl)

# The files for desktops, which get the texts of all languages, and how msgfmt(1) reads them.
TRANSLATED_FILES = \
    --desktop:data/desktop/io.locationd.Agent.desktop:/etc/xdg/autostart \
    --desktop:data/desktop/io.locationd.Dashboard.desktop:$(SHARE)/applications \
    --xml:data/desktop/io.locationd.metainfo.xml:$(SHARE)/metainfo

# Installs the catalogues of locationctl, and the files for desktops.
define install_translations
for language in $$(cat data/po/LINGUAS); do \
    folder="$(DESTDIR)$(SHARE)/locale/$$language/LC_MESSAGES"; install -d "$$folder" && \
    msgfmt --output-file="$$folder/locationctl.mo" data/po/$$language.po && \
    chmod 0644 "$$folder/locationctl.mo" || exit 1; \
done
for entry in $(TRANSLATED_FILES); do \
    kind=$${entry%%:*}; entry=$${entry#*:}; file=$${entry%:*}; folder="$(DESTDIR)$${entry#*:}"; \
    install -d "$$folder" && \
    msgfmt $$kind --template=$$file -d data/po --output-file="$$folder/$${file##*/}" && \
    chmod 0644 "$$folder/$${file##*/}" || exit 1; \
done
endef

## Install into DESTDIR and below PREFIX: programs that need no Swift runtime, units, rules, manual pages.
install: programs
	$(call install_files,0755,$(INSTALLED_PROGRAMS))
	$(call install_files,0644,$(INSTALLED_FILES))
	$(call install_translations)
	install -d "$(DESTDIR)/etc/locationd/conf.d" "$(DESTDIR)/etc/locationd/apps"
	[ -e "$(DESTDIR)/etc/locationd/locationd.toml" ] || \
	    install -m 0644 data/etc/locationd.toml "$(DESTDIR)/etc/locationd/locationd.toml"

## Install the sockets for clients of gpsd, into DESTDIR and UNITDIR.
# It needs no programs, nor do they need it: the daemon serves all sockets that it is passed.
install-gpsd:
	$(call install_files,0644,$(call into,$(UNITDIR),$(wildcard systemd/gpsd/*.socket)) \
	    $(foreach unit,locationd.service gpsd.socket, \
	        systemd/gpsd/$(unit).conf:$(UNITDIR)/$(unit).d/locationd-gpsd.conf) \
	    $(call documents,locationd-gpsd/examples,systemd/gpsd/gpsd-source.conf))

## Install the files that make locationd GeoClue on the system bus, into DESTDIR and DBUSDIR.
install-geoclue:
	$(call install_files,0644,$(call into,$(DBUSDIR)/system.d,$(wildcard data/dbus/org.freedesktop.*.conf)) \
	    $(call into,$(DBUSDIR)/system-services,$(wildcard data/dbus/*.service)) \
	    $(call into,/usr/share/locationd/conf.d,data/etc/locationd-geoclue.toml) \
	    data/etc/xdg-desktop-portal.toml:/usr/share/locationd/apps/$(call manifest,$(PORTAL)))

## Install the publisher, its unit and its manual page, into DESTDIR, UNITDIR and below PREFIX.
# A package of its own: machines that publish nothing do not need its libraries.
install-publish: programs
	$(call install_files,0755,$(call into,$(PREFIX)/sbin,$(STATIC_BIN)/locationd-publish) \
	    $(call documents,locationd-publish/examples,Examples/fleet/consumer.py))
	$(call install_files,0644,$(call into,$(UNITDIR),systemd/publish/locationd-publish.service) \
	    systemd/publish/locationd-publish.sysusers:$(PREFIX)/lib/sysusers.d/locationd-publish.conf \
	    data/etc/locationd-publish.toml:/usr/share/locationd/apps/service:locationd-publish.toml \
	    $(call documents,locationd-publish/examples,data/etc/publish.toml systemd/publish/broker-only.conf) \
	    $(call profiles,locationd-publish) $(call pages,man/locationd-publish.8) $(call completions,locationd-publish))

## Install locationd-nmea, its units and its manual page, into DESTDIR, UNITDIR and below PREFIX.
# A package of its own: it has the network, unlike the daemon.
install-nmea: programs
	$(call install_files,0755,$(call into,$(PREFIX)/sbin,$(STATIC_BIN)/locationd-nmea) \
	    $(call documents,locationd-nmea/examples,$(wildcard Examples/nmea/*.py)))
	$(call install_files,0644,$(call into,$(UNITDIR),$(wildcard systemd/nmea/*.service systemd/nmea/*.socket)) \
	    systemd/nmea/locationd-nmea.sysusers:$(PREFIX)/lib/sysusers.d/locationd-nmea.conf \
	    $(call documents,locationd-nmea/examples,$(wildcard data/etc/nmea-*.toml)) \
	    $(call profiles,locationd-nmea) $(call pages,man/locationd-nmea.8) $(call completions,locationd-nmea))
	install -d "$(DESTDIR)/etc/locationd/nmea"

## Install locationd-ntrip, its units and its manual page, into DESTDIR, UNITDIR and below PREFIX.
# A package of its own: it has the network, unlike the daemon.
install-ntrip: programs
	$(call install_files,0755,$(call into,$(PREFIX)/sbin,$(STATIC_BIN)/locationd-ntrip))
	$(call install_files,0644,$(call into,$(UNITDIR),$(wildcard systemd/ntrip/*.service systemd/ntrip/*.socket)) \
	    systemd/ntrip/locationd.service.conf:$(UNITDIR)/locationd.service.d/locationd-ntrip.conf \
	    systemd/ntrip/locationd-ntrip.sysusers:$(PREFIX)/lib/sysusers.d/locationd-ntrip.conf \
	    $(call into,/usr/share/locationd/conf.d,data/etc/locationd-ntrip.toml) \
	    $(call documents,locationd-ntrip/examples,data/etc/ntrip.toml) \
	    $(call profiles,locationd-ntrip) $(call pages,man/locationd-ntrip.8) $(call completions,locationd-ntrip))
	install -d "$(DESTDIR)/etc/locationd/ntrip"
