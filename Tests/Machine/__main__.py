"""Tests locationd on a complete machine in qemu: `python3 Tests/Machine IMAGE LOGS PACKAGE...`, see `make test-system`.

With --architecture arm64, an emulated one of that architecture, it goes through the steps that matter there: a machine
in software emulation is slow. With --repository, apt installs the packages from there. With --desktop, the machine has
one, and goes through the first hour of its owner; with --settings, through a page of GNOME's settings, too. With
--containers, it has podman, and tries containers.

With --only, it goes through the steps of these modules or names, behind those that configure the dongle.

The environment variable ACCEL selects qemu's accelerator: "kvm", or "tcg" (default), which needs nothing from the host.
"""

import argparse
import os
import shutil
import sys
import traceback
from pathlib import Path

import apparmor
import beacons
import bluetooth
import containers
import corrections
import desktop
import foreign
import fronts
import gnome
import hotplug
import installation
import metrics
import nmea
import people
import publishing
import setup
import surroundings
import trouble
import uart
from machine import Machine
from report import Report
from world import World

STEPS = [
    installation.the_package_is_installed,
    installation.the_daemon_is_small,
    installation.no_swift_is_needed,
    installation.the_sockets_listen,
    installation.the_first_client_starts_it,
    installation.it_runs_unprivileged,
    apparmor.the_profiles_are_enforced,
    hotplug.a_converter_alone_is_not_grabbed,
    people.nobody_gets_anything_undecided,
    hotplug.the_configuration_names_it,
    hotplug.the_doctor_knows_what_ails_it,
    hotplug.it_is_unplugged,
    hotplug.it_is_found_under_another_name,
    hotplug.one_of_unknown_speed_is_found,
    people.a_grant_is_for_one_user,
    people.who_is_not_at_the_screen_gets_nothing,
    people.a_logout_leaves_the_background,
    people.a_fence_is_set,
    people.a_service_is_known_by_its_unit,
    people.the_fence_wakes_the_app,
    people.a_revocation_ends_the_stream,
    foreign.varlinkctl_reads_the_interface,
    fronts.the_packages_are_installed,
    fronts.gpsd_does_not_get_the_port,
    fronts.a_gpsd_client_is_refused_granted_and_revoked,
    fronts.every_socket_for_gpsd_clients_answers,
    fronts.the_bus_starts_the_daemon,
    fronts.a_geoclue_client_is_refused_granted_and_revoked,
    fronts.the_doctor_finds_nothing_wrong,
    fronts.the_packages_are_installed_again,
    publishing.the_package_is_installed,
    apparmor.the_profiles_are_enforced,
    publishing.it_waits_for_a_grant,
    publishing.what_is_granted_arrives,
    metrics.a_timer_writes_them,
    publishing.a_killed_publisher_is_back,
    publishing.a_revocation_empties_the_queue,
    apparmor.nothing_was_denied,
    publishing.the_package_is_removed,
    nmea.the_package_is_installed,
    apparmor.the_profiles_are_enforced,
    nmea.a_program_reads_a_serial_port,
    nmea.a_revocation_takes_the_port_away,
    nmea.a_sender_is_received,
    bluetooth.the_adapters_are_there,
    bluetooth.they_are_paired,
    bluetooth.a_serial_port_is_read,
    bluetooth.its_range_is_lost_and_found,
    bluetooth.nobody_asks,
    bluetooth.nordics_service_is_read,
    bluetooth.nobody_asks,
    bluetooth.several_are_read_at_once,
    bluetooth.a_scan_takes_nothing_from_them,
    bluetooth.others_on_the_bus_get_nowhere,
    bluetooth.they_are_gone,
    uart.chrony_gets_its_time,
    trouble.a_killed_daemon_is_back,
    trouble.a_hung_daemon_is_restarted,
    trouble.it_sleeps_and_wakes,
    corrections.the_package_is_installed,
    apparmor.the_profiles_are_enforced,
    corrections.an_app_opens_the_stream,
    corrections.a_revocation_ends_it,
    corrections.a_network_gets_a_cell,
    apparmor.nothing_was_denied,
    trouble.a_reboot_keeps_the_grants,
    fronts.a_reboot_keeps_the_sockets,
    nmea.a_reboot_keeps_both,
    apparmor.nothing_was_denied,
    nmea.the_package_is_removed,
    corrections.a_reboot_keeps_it,
    apparmor.nothing_was_denied,
    corrections.the_package_is_removed,
    trouble.it_wakes_without_its_dongle,
    apparmor.nothing_was_denied,
    trouble.a_power_cut_keeps_an_answered_grant,
    surroundings.nobody_knows_the_networks,
    surroundings.the_receiver_is_closed_while_they_are_the_same,
    surroundings.others_open_it,
    surroundings.they_are_named_nowhere,
    surroundings.the_kernel_hears_them_without_networkmanager,
    surroundings.the_radios_are_gone,
    beacons.the_controller_is_there,
    beacons.beacons_are_ranged,
    beacons.one_approaches_and_one_vanishes,
    beacons.a_region_is_entered_and_left,
    beacons.a_controller_that_filters_is_enough,
    beacons.a_flood_is_bounded,
    beacons.a_monitor_is_enough,
    beacons.an_adapter_that_is_off_is_reported,
    beacons.nobody_asks_for_beacons,
    beacons.the_controller_is_gone,
    trouble.the_journal_tells_no_place,
    apparmor.nothing_was_denied,
    fronts.the_packages_are_removed,
    installation.purge_leaves_nothing,
]

#: The modules whose steps concern no others. After a failure in one, the run goes on with its last step, which clears
#: up.
APART = {"surroundings", "beacons"}

#: The steps that configure the dongle, for --only.
FIRST_STEPS = [
    installation.the_package_is_installed,
    hotplug.a_converter_alone_is_not_grabbed,
    hotplug.the_configuration_names_it,
]

#: The steps of an emulated architecture.
SHORT_STEPS = [
    installation.apt_installs_from_the_repository,
    installation.the_daemon_is_small,
    installation.no_swift_is_needed,
    installation.the_sockets_listen,
    installation.the_first_client_starts_it,
    installation.it_runs_unprivileged,
    hotplug.a_converter_alone_is_not_grabbed,
    people.nobody_gets_anything_undecided,
    hotplug.the_configuration_names_it,
    hotplug.the_doctor_knows_what_ails_it,
    hotplug.it_is_unplugged,
    hotplug.it_is_found_under_another_name,
    people.a_grant_is_for_one_user,
    people.a_revocation_ends_the_stream,
    foreign.varlinkctl_reads_the_interface,
    foreign.gpsd_clients_see_the_release_of_libgps,
    people.alice_is_granted_again,
    uart.chrony_gets_its_time,
    trouble.a_killed_daemon_is_back,
    trouble.a_power_cut_keeps_an_answered_grant,
    trouble.the_journal_tells_no_place,
]

#: The steps of GNOME's settings, which are on the disk with Debian 13. The app is that of the step before them.
GNOME_STEPS = [
    gnome.its_page_shows_the_app,
    gnome.a_switch_revokes,
    gnome.a_switch_grants_nothing,
]

#: The steps of a desktop.
DESKTOP_STEPS = [
    desktop.the_desktop_is_there,
    desktop.apt_installs_it,
    desktop.setup_finds_the_receiver,
    desktop.an_app_asks_and_is_answered,
    desktop.the_indicator_says_who_looks,
    desktop.an_app_that_asks_for_always_is_answered_while_in_use,
    desktop.the_prompt_is_in_the_language_of_the_session,
    *GNOME_STEPS,
    setup.nothing_is_plugged_in,
    setup.a_console_holds_the_port,
    setup.a_receiver_at_a_uart_is_found,
    trouble.the_journal_tells_no_place,
]

#: The steps of containers. podman is the system's own.
CONTAINER_STEPS = [
    installation.the_package_is_installed,
    containers.an_image_is_made,
    hotplug.a_converter_alone_is_not_grabbed,
    hotplug.the_configuration_names_it,
    containers.one_that_is_run_by_hand_is_refused,
    containers.one_without_the_socket_sees_nothing,
    containers.a_unit_of_the_system_is_a_service,
    containers.a_unit_of_a_user_is_an_app,
    containers.one_of_a_user_manages_nothing,
    containers.the_socket_is_as_it_was,
]


def run(world, steps, logs):
    """Runs all steps. Stops at a failure that concerns other modules. Returns whether all steps have passed."""
    failed = set()
    with world.report.step("the machine boots"):
        world.boot()
    for step, following in zip(steps, [*steps[1:], None]):
        module = step.__module__
        if module in failed and following and following.__module__ == module:
            continue
        try:
            with world.report.step(step.__doc__):
                step(world)
        except Exception:
            if module not in APART:
                raise
            failed.add(module)
            world.report.say(f"{traceback.format_exc()}\n{keep_journal(world, logs)}")
    return not failed


def keep_journal(world, logs):
    """Writes the machine's journal to the logs. Returns the last lines that concern locationd."""
    (logs / "journal").write_text(world.root.run("journalctl --no-pager -o short-precise", 120))
    return world.root.run("journalctl --no-pager -b -o short-precise -n 60 _SYSTEMD_UNIT=locationd.service + "
                          "_SYSTEMD_UNIT=locationd-peers.service + UNIT=locationd.service")


def main():
    parser = argparse.ArgumentParser(prog="Tests/Machine", description=__doc__.partition("\n\n")[0])
    parser.add_argument("image", type=Path)
    parser.add_argument("logs", type=Path)
    parser.add_argument("packages", type=Path, nargs="*")
    parser.add_argument("--architecture", default="amd64", choices=["amd64", "arm64"])
    parser.add_argument("--repository", type=Path)
    parser.add_argument("--desktop", action="store_true")
    parser.add_argument("--settings", action="store_true")
    parser.add_argument("--containers", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    arguments = parser.parse_args()
    image, logs = arguments.image.resolve(), arguments.logs.resolve()
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)
    report = Report(logs / "run")
    acceleration = os.environ.get("ACCEL", "tcg")
    # Only this machine's own architecture can be accelerated.
    acceleration = acceleration if arguments.architecture == "amd64" else "tcg"
    steps = STEPS if arguments.architecture == "amd64" else SHORT_STEPS
    steps = DESKTOP_STEPS if arguments.desktop else CONTAINER_STEPS if arguments.containers else steps
    if not arguments.settings:
        steps = [step for step in steps if step not in GNOME_STEPS]
    if arguments.only:
        steps = [step for step in steps
                 if step in FIRST_STEPS or {step.__module__, step.__name__} & set(arguments.only)]
    packages = [package.resolve() for package in arguments.packages]
    with Machine(image, packages, logs, acceleration, arguments.architecture, arguments.repository) as machine:
        world = World(machine, report)
        try:
            passed = run(world, steps, logs)
            keep_journal(world, logs)
        except Exception:
            report.say(traceback.format_exc())
            passed = False
            try:
                report.say(keep_journal(world, logs))
            except Exception as second:
                report.say(f"cannot read the journal: {second}")
    report.summary(passed)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
