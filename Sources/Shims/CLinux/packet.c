#define _GNU_SOURCE
#include "packet.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int connect_to(const char *path, int type) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    int connection = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (connection < 0) return -errno;
    int result;
    do {
        result = connect(connection, (const struct sockaddr *)&address, sizeof address);
    } while (result < 0 && errno == EINTR);
    if (result == 0) return connection;
    int error = errno;
    close(connection);
    return -error;
}

int packet_connect(const char *path) {
    return connect_to(path, SOCK_SEQPACKET);
}

int place_connect(int place) {
    // The link of an O_PATH descriptor leads to the file that was opened: proc(5).
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", place);
    return connect_to(path, SOCK_STREAM);
}

int packet_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
    if (descriptor_count > PACKET_DESCRIPTORS) return EINVAL;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(PACKET_DESCRIPTORS * sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count > 0) {
        size_t size = descriptor_count * sizeof(int);
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(header), descriptors, size);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno : 0;
}

static long long now_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

/// Waits until there is something to read. Returns 0 or an errno.
static int wait_for(int socket, int milliseconds) {
    struct pollfd state = {.fd = socket, .events = POLLIN};
    long long deadline = now_milliseconds() + milliseconds;
    int left = milliseconds;
    for (;;) {
        int ready = poll(&state, 1, left);
        if (ready > 0) return 0;
        if (ready == 0) return ETIMEDOUT;
        if (errno != EINTR) return errno;
        if (milliseconds < 0) continue;
        long long rest = deadline - now_milliseconds();
        left = rest > 0 ? (int)rest : 0;
    }
}

/// Stores the first descriptors of a message, and closes the others. Returns the number of stored descriptors.
static size_t take_descriptors(struct msghdr *message, int *descriptors, size_t room) {
    size_t taken = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + i * sizeof descriptor, sizeof descriptor);
            if (taken < room) {
                descriptors[taken++] = descriptor;
            } else {
                close(descriptor);
            }
        }
    }
    return taken;
}

long packet_receive(
    int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count, int milliseconds) {
    size_t room = *descriptor_count;
    *descriptor_count = 0;
    int error = wait_for(socket, milliseconds);
    if (error != 0) return -error;
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    // With room for fewer, a truncated list could not be distinguished from an empty one.
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(PACKET_DESCRIPTORS * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.space};
    ssize_t count;
    do {
        count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    *descriptor_count = take_descriptors(&message, descriptors, room);
    if ((message.msg_flags & MSG_TRUNC) == 0) return count;
    while (*descriptor_count > 0) close(descriptors[--*descriptor_count]);
    return -EMSGSIZE;
}
