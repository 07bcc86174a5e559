// Desktop notifications over libsystemd's sd-bus. Its functions with format arguments are variadic, so Swift does not
// import them. org.freedesktop.Notifications: Desktop Notifications Specification 1.2. A function that returns an int
// returns a negated errno on failure.
#pragma once
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define CSYSTEMD_NOTIFICATIONS \
    "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications"
/// The timeout for a server's answer to a call, in microseconds: the usual one of D-Bus.
#define CSYSTEMD_TIMEOUT_USEC (25 * 1000 * 1000)
/// The maximum size of a connection's name, with its NUL: D-Bus specification, "Valid Names".
#define CSYSTEMD_NAME_SIZE 256
/// The maximum size of an action's key, with its NUL.
#define CSYSTEMD_KEY_SIZE 64

/// A kind of message from a notification server.
typedef enum {
    CSYSTEMD_NOTHING,
    CSYSTEMD_INVOKED,
    CSYSTEMD_CLOSED,
    /// The notification server was replaced or has gone.
    CSYSTEMD_SERVER_CHANGED,
} csystemd_notice_kind;

struct csystemd_notice {
    csystemd_notice_kind kind;
    uint32_t id;
    /// For CSYSTEMD_CLOSED: 1 expired, 2 dismissed by the user, 3 closed by CloseNotification, 4 undefined.
    uint32_t reason;
    /// For CSYSTEMD_INVOKED: the action's key, or an empty string if it does not fit and so is not one of ours.
    char key[CSYSTEMD_KEY_SIZE];
    /// The unique name of the sender's connection. For CSYSTEMD_SERVER_CHANGED: the new server's name, or empty.
    char sender[CSYSTEMD_NAME_SIZE];
};

static inline void csystemd_copy(char *to, size_t size, const char *from) {
    if (from == NULL || strlen(from) >= size) from = "";
    memcpy(to, from, strlen(from) + 1);
}

/// Connects to the session bus and subscribes to the signals of its notification server.
static inline int csystemd_open(sd_bus **bus) {
    int result = sd_bus_open_user(bus);
    if (result < 0) return result;
    result = sd_bus_add_match(
        *bus, NULL,
        "type='signal',sender='org.freedesktop.Notifications',interface='org.freedesktop.Notifications',"
        "path='/org/freedesktop/Notifications'",
        NULL, NULL);
    if (result >= 0)
        result = sd_bus_add_match(
            *bus, NULL,
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
            "arg0='org.freedesktop.Notifications'",
            NULL, NULL);
    if (result < 0) *bus = sd_bus_flush_close_unref(*bus);
    return result;
}

/// Sends all pending messages and closes the connection.
static inline void csystemd_close(sd_bus *bus) {
    sd_bus_flush_close_unref(bus);
}

/// Makes a call and waits for the reply, which the caller unreferences.
static inline int csystemd_call(sd_bus *bus, sd_bus_message *call, sd_bus_message **reply) {
    return sd_bus_call(bus, call, CSYSTEMD_TIMEOUT_USEC, NULL, reply);
}

/// Returns whether the notification server has a capability: 1 or 0.
static inline int csystemd_has_capability(sd_bus *bus, const char *name) {
    sd_bus_message *call = NULL, *reply = NULL;
    char **capabilities = NULL;
    int result = sd_bus_message_new_method_call(bus, &call, CSYSTEMD_NOTIFICATIONS, "GetCapabilities");
    if (result >= 0) result = csystemd_call(bus, call, &reply);
    if (result >= 0) result = sd_bus_message_read_strv(reply, &capabilities);
    if (result >= 0) {
        result = 0;
        for (char **each = capabilities; each != NULL && *each != NULL; each++) {
            if (strcmp(*each, name) == 0) result = 1;
            free(*each);
        }
        free(capabilities);
    }
    sd_bus_message_unref(reply);
    sd_bus_message_unref(call);
    return result;
}

/// Returns whether the notification server calls itself `name`: 1 or 0.
static inline int csystemd_is_server(sd_bus *bus, const char *name) {
    sd_bus_message *call = NULL, *reply = NULL;
    const char *own = NULL;
    int result = sd_bus_message_new_method_call(bus, &call, CSYSTEMD_NOTIFICATIONS, "GetServerInformation");
    if (result >= 0) result = csystemd_call(bus, call, &reply);
    if (result >= 0) result = sd_bus_message_read_basic(reply, 's', &own);
    if (result > 0) result = strcmp(own, name) == 0;
    sd_bus_message_unref(reply);
    sd_bus_message_unref(call);
    return result;
}

/// Shows a notification that stays until it is closed. `urgency` is 1 for normal or 2 for critical. `actions` alternates
/// keys and labels, and ends with NULL. Stores the notification's id, and the unique name of the server that showed it.
static inline int csystemd_notify(
    sd_bus *bus, unsigned char urgency, const char *icon, const char *summary, const char *body, char *const *actions,
    uint32_t *id, char server[CSYSTEMD_NAME_SIZE]) {
    sd_bus_message *call = NULL, *reply = NULL;
    int result = sd_bus_message_new_method_call(bus, &call, CSYSTEMD_NOTIFICATIONS, "Notify");
    if (result >= 0) result = sd_bus_message_append(call, "susss", "locationd", 0u, icon, summary, body);
    if (result >= 0) result = sd_bus_message_append_strv(call, (char **)actions);
    // The timeout 0 means never.
    if (result >= 0)
        result = sd_bus_message_append(
            call, "a{sv}i", 2, "urgency", "y", (int)urgency, "desktop-entry", "s", "io.locationd.Dashboard", 0);
    if (result >= 0) result = csystemd_call(bus, call, &reply);
    if (result >= 0) result = sd_bus_message_read_basic(reply, 'u', id);
    if (result >= 0) csystemd_copy(server, CSYSTEMD_NAME_SIZE, sd_bus_message_get_sender(reply));
    sd_bus_message_unref(reply);
    sd_bus_message_unref(call);
    return result < 0 ? result : 0;
}

/// Withdraws a notification, without waiting for the server's answer.
static inline int csystemd_withdraw(sd_bus *bus, uint32_t id) {
    sd_bus_message *call = NULL;
    int result = sd_bus_message_new_method_call(bus, &call, CSYSTEMD_NOTIFICATIONS, "CloseNotification");
    if (result >= 0) result = sd_bus_message_append(call, "u", id);
    if (result >= 0) result = sd_bus_message_set_expect_reply(call, 0);
    if (result >= 0) result = sd_bus_send(bus, call, NULL);
    if (result >= 0) result = sd_bus_flush(bus);
    sd_bus_message_unref(call);
    return result;
}

/// Processes one received message, if there is one. Returns 0 if there was none, and 1 if there may be more.
static inline int csystemd_next(sd_bus *bus, struct csystemd_notice *notice) {
    sd_bus_message *message = NULL;
    notice->kind = CSYSTEMD_NOTHING;
    int result = sd_bus_process(bus, &message);
    if (message == NULL) return result;
    csystemd_copy(notice->sender, sizeof notice->sender, sd_bus_message_get_sender(message));
    if (sd_bus_message_is_signal(message, "org.freedesktop.Notifications", "ActionInvoked")) {
        const char *key = NULL;
        if (sd_bus_message_read(message, "us", &notice->id, &key) > 0) {
            csystemd_copy(notice->key, sizeof notice->key, key);
            notice->kind = CSYSTEMD_INVOKED;
        }
    } else if (sd_bus_message_is_signal(message, "org.freedesktop.Notifications", "NotificationClosed")) {
        if (sd_bus_message_read(message, "uu", &notice->id, &notice->reason) > 0) notice->kind = CSYSTEMD_CLOSED;
    } else if (sd_bus_message_is_signal(message, "org.freedesktop.DBus", "NameOwnerChanged") &&
               strcmp(notice->sender, "org.freedesktop.DBus") == 0) {
        const char *name = NULL, *before = NULL, *after = NULL;
        if (sd_bus_message_read(message, "sss", &name, &before, &after) > 0 &&
            strcmp(name, "org.freedesktop.Notifications") == 0) {
            csystemd_copy(notice->sender, sizeof notice->sender, after);
            notice->kind = CSYSTEMD_SERVER_CHANGED;
        }
    }
    sd_bus_message_unref(message);
    return 1;
}
