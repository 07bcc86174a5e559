#define _GNU_SOURCE
#include "timing.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/pps.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/// The message of the SOCK reference clock. chronyd ignores messages of another size or with another magic.
struct sock_sample {
    struct timeval tv;
    double offset;
    int pulse;
    int leap;
    int padding;
    int magic;
};

enum { SAMPLE_MAGIC = 0x534f434b };

int time_socket_open(void) {
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return descriptor < 0 ? -errno : descriptor;
}

int time_sample_send(int socket, const char *path, long long wall, double offset) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) return ENAMETOOLONG;
    memcpy(address.sun_path, path, length + 1);
    struct sock_sample sample = {
        .tv = {.tv_sec = wall / 1000000000, .tv_usec = wall % 1000000000 / 1000},
        .offset = offset,
        .magic = SAMPLE_MAGIC,
    };
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
    ssize_t sent;
    do {
        sent = sendto(socket, &sample, sizeof sample, MSG_NOSIGNAL, (struct sockaddr *)&address, size);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno : 0;
}

int pps_open(const char *path) {
    // Not O_RDWR: reading edges changes nothing, and a read-only rule of udev suffices.
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    int modes = 0;
    int error = 0;
    if (ioctl(descriptor, PPS_GETCAP, &modes) < 0) {
        error = ENOTTY;
    } else if ((modes & PPS_CAPTUREASSERT) == 0) {
        error = EOPNOTSUPP;
    }
    if (error == 0) return descriptor;
    close(descriptor);
    return -error;
}

int pps_last_edge(int descriptor, struct pps_edge *edge) {
    // A timeout of zero, without PPS_TIME_INVALID: the kernel answers at once (drivers/pps/pps.c).
    struct pps_fdata data = {0};
    if (ioctl(descriptor, PPS_FETCH, &data) < 0) return errno;
    edge->sequence = data.info.assert_sequence;
    edge->wall = data.info.assert_tu.sec * 1000000000LL + data.info.assert_tu.nsec;
    return 0;
}
