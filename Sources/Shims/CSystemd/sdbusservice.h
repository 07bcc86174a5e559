// A service on the system bus: the parts of libsystemd's sd-bus that Swift does not import. A function that returns an
// int returns a negated errno on failure.
#pragma once
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-id128.h>

/// Begins to connect to the bus at an address, or to the system bus, at DBUS_SYSTEM_BUS_ADDRESS or the machine's
/// standard address.
///
/// Attack: a program sends a descriptor, such as one for a file in a file system that never answers, or for a socket
/// that lingers. Libsystemd closes it in the thread that calls it. So a connection negotiates descriptors only if
/// `descriptors` is 1, for a thread that no other part waits for: otherwise the bus delivers no message that contains
/// one.
static inline int csystemd_open_bus(const char *address, int descriptors, sd_bus **bus) {
    if (address == NULL) address = getenv("DBUS_SYSTEM_BUS_ADDRESS");
    if (address == NULL) address = "unix:path=/run/dbus/system_bus_socket";
    sd_bus *opened = NULL;
    int result = sd_bus_new(&opened);
    if (result >= 0) result = sd_bus_set_address(opened, address);
    if (result >= 0) result = sd_bus_set_bus_client(opened, 1);
    if (result >= 0) result = sd_bus_negotiate_fds(opened, descriptors);
    if (result >= 0) result = sd_bus_start(opened);
    if (result >= 0) *bus = opened;
    else sd_bus_unref(opened);
    return result;
}

static inline int csystemd_keep(sd_bus_message *message, void *kept, sd_bus_error *error) {
    (void)error;
    *(sd_bus_message **)kept = sd_bus_message_ref(message);
    return 1;
}

/// Makes sd_bus_process(3) store a reference to each received message in `kept`, and do nothing else with it. Without
/// this, libsystemd itself replies to calls of org.freedesktop.DBus.Peer.
static inline int csystemd_keep_messages(sd_bus *bus, sd_bus_message **kept) {
    return sd_bus_add_filter(bus, NULL, csystemd_keep, kept);
}

/// Writes the machine's id, machine-id(5), with its NUL.
static inline int csystemd_machine_id(char text[SD_ID128_STRING_MAX]) {
    sd_id128_t id;
    int result = sd_id128_get_machine(&id);
    if (result >= 0) sd_id128_to_string(id, text);
    return result;
}

/// Creates the reply to a call that was received earlier and not kept, without its arguments: an error if `error` is
/// not NULL. The call is described by its sender and its cookie. Keeping the call itself would keep the descriptors and
/// the bytes that its sender put into it.
static inline int csystemd_reply(
    sd_bus *bus, const char *sender, uint64_t cookie, const sd_bus_error *error, sd_bus_message **reply) {
    sd_bus_message *call = NULL;
    int result = sd_bus_message_new_method_call(bus, &call, NULL, "/", NULL, "Call");
    if (result >= 0) result = sd_bus_message_set_sender(call, sender);
    if (result >= 0) result = sd_bus_message_seal(call, cookie, 0);
    if (result >= 0)
        result = error != NULL ? sd_bus_message_new_method_error(call, reply, error)
                               : sd_bus_message_new_method_return(call, reply);
    sd_bus_message_unref(call);
    return result;
}
