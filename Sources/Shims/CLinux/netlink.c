#define _GNU_SOURCE
#include "netlink.h"

#include <errno.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

int netlink_open(int protocol) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
    if (descriptor < 0) return -errno;
    // The kernel passes over the sockets that have its own address, 0, as they have until they are bound or send
    // (net/netlink/af_netlink.c, do_one_broadcast).
    const struct sockaddr_nl own = {.nl_family = AF_NETLINK};
    if (bind(descriptor, (const struct sockaddr *)&own, sizeof own) == 0) return descriptor;
    int error = errno;
    close(descriptor);
    return -error;
}

int netlink_join(int socket, unsigned group) {
    return setsockopt(socket, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) < 0 ? errno : 0;
}

int netlink_send(int socket, const void *request, size_t size) {
    const struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    ssize_t sent;
    do {
        sent = sendto(socket, request, size, MSG_DONTWAIT, (const struct sockaddr *)&kernel, sizeof kernel);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno : 0;
}

long netlink_receive(int socket, void *bytes, size_t capacity) {
    struct sockaddr_nl sender = {0};
    socklen_t size = sizeof sender;
    ssize_t count;
    do {
        // MSG_TRUNC: the result is the length of the message, even if it does not fit.
        count = recvfrom(
            socket, bytes, capacity, MSG_DONTWAIT | MSG_TRUNC, (struct sockaddr *)&sender, &size);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    if ((size_t)count > capacity) return -EMSGSIZE;
    // The kernel has the address 0: netlink(7). Any process can have another address.
    return size == sizeof sender && sender.nl_pid == 0 ? count : -EPROTO;
}

int netlink_port(int socket, unsigned *port) {
    struct sockaddr_nl own = {0};
    socklen_t size = sizeof own;
    if (getsockname(socket, (struct sockaddr *)&own, &size) < 0) return errno;
    *port = own.nl_pid;
    return 0;
}
