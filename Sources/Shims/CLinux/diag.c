#define _GNU_SOURCE
#include "diag.h"

#include "netlink.h"

#include <errno.h>
#include <linux/netlink.h>
#include <unistd.h>

static long ask(int socket, const void *request, size_t size, void *answer, size_t capacity, unsigned *port) {
    int error = netlink_send(socket, request, size);
    if (error == 0) error = netlink_port(socket, port);
    if (error != 0) return -error;
    long count = netlink_receive(socket, answer, capacity);
    if (count < 0) return count;
    char more;
    return netlink_receive(socket, &more, sizeof more) == -EAGAIN ? count : -EPROTO;
}

long sock_diag_ask(const void *request, size_t size, void *answer, size_t capacity, unsigned *port) {
    int descriptor = netlink_open(NETLINK_SOCK_DIAG);
    if (descriptor < 0) return descriptor;
    long result = ask(descriptor, request, size, answer, capacity, port);
    close(descriptor);
    return result;
}
