#define _GNU_SOURCE
#include "diag.h"

#include <errno.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

/// Receives one message. Returns its length or the negated errno.
static long receive(int socket, void *bytes, size_t capacity) {
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

static long ask(int socket, const void *request, size_t size, void *answer, size_t capacity, unsigned *port) {
    const struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    ssize_t sent;
    do {
        sent = sendto(socket, request, size, MSG_DONTWAIT, (const struct sockaddr *)&kernel, sizeof kernel);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0) return -errno;
    struct sockaddr_nl own = {0};
    socklen_t own_size = sizeof own;
    if (getsockname(socket, (struct sockaddr *)&own, &own_size) < 0) return -errno;
    *port = own.nl_pid;
    long count = receive(socket, answer, capacity);
    if (count < 0) return count;
    char more;
    return receive(socket, &more, sizeof more) == -EAGAIN ? count : -EPROTO;
}

long sock_diag_ask(const void *request, size_t size, void *answer, size_t capacity, unsigned *port) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
    if (descriptor < 0) return -errno;
    long result = ask(descriptor, request, size, answer, capacity, port);
    close(descriptor);
    return result;
}
