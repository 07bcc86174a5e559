#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif
#ifndef FIONREAD
#define FIONREAD 0x541B
#endif

int stream_refuse_descriptors(int listener) {
    int no = 0;
    return setsockopt(listener, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof no) == 0 ? 0 : errno;
}

int stream_accept(int listener) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

int stream_is_over(int socket) {
    char byte;
    ssize_t count;
    do {
        count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    return count == 0 || (count < 0 && errno != EAGAIN);
}

void stream_inline_urgent(int socket) {
    int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_OOBINLINE, &yes, sizeof yes);
}

long stream_receive(int socket, void *bytes, size_t capacity) {
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t count;
    do {
        count = recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) return count < 0 ? -errno : 0;
    if ((message.msg_flags & MSG_CTRUNC) != 0) return -EBADMSG;
    // Peeking ends after the first bytes that were sent with a descriptor. So these bytes were sent without one.
    ssize_t received;
    do {
        received = recv(socket, bytes, (size_t)count, MSG_DONTWAIT);
    } while (received < 0 && errno == EINTR);
    return received < 0 ? -errno : received;
}

int stream_unread(int socket) {
    int count = 0;
    return ioctl(socket, FIONREAD, &count) == 0 ? count : 0;
}

int socket_kind(int descriptor, int *family, int *type) {
    socklen_t size = sizeof *family;
    if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, family, &size) < 0) return errno;
    size = sizeof *type;
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, type, &size) < 0 ? errno : 0;
}

int socket_is_rfcomm(int family, int type) {
    return family == AF_BLUETOOTH && type == SOCK_STREAM;
}

static void interrupted(int signal) {
    (void)signal;
}

/// The signal that interrupts a close. The C library does not use it.
static int interruption(void) {
    return SIGRTMIN + 7;
}

static void handle_interruption(void) {
    struct sigaction action = {.sa_handler = interrupted};
    sigemptyset(&action.sa_mask);
    sigaction(interruption(), &action, NULL);
}

/// Creates a timer that interrupts the calling thread. Returns whether this succeeded.
static int timer_of_thread(timer_t *timer) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, handle_interruption);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, interruption());
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = interruption()};
    // The C library of Debian 12 has no other name for the field.
    event._sigev_un._tid = (int)syscall(SYS_gettid);
    return timer_create(CLOCK_MONOTONIC, &event, timer) == 0;
}

void descriptors_close(void (*function)(void *), void *argument) {
    timer_t timer;
    if (!timer_of_thread(&timer)) {
        function(argument);
        return;
    }
    // Once the first signal is pending, nothing lingers any more until close(2) returns.
    const struct timespec step = {.tv_nsec = 100 * 1000};
    const struct itimerspec steps = {.it_value = step, .it_interval = step};
    timer_settime(timer, 0, &steps, NULL);
    function(argument);
    timer_delete(timer);
}

struct descriptors {
    const int *first;
    size_t count;
};

static void close_each(void *argument) {
    const struct descriptors *descriptors = argument;
    for (size_t index = 0; index < descriptors->count; index++) close(descriptors->first[index]);
}

void descriptors_close_all(const int *descriptors, size_t count) {
    struct descriptors all = {.first = descriptors, .count = count};
    descriptors_close(close_each, &all);
}

void descriptor_close(int descriptor) {
    descriptors_close_all(&descriptor, 1);
}
