#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

int events_create(void) {
    int events = epoll_create1(EPOLL_CLOEXEC);
    return events < 0 ? -errno : events;
}

int events_add(int events, int descriptor, unsigned long long id) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = id};
    return epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

int events_wait(int events, unsigned long long *ids, int capacity, int milliseconds) {
    struct epoll_event ready[256];
    int count = epoll_wait(events, ready, capacity < 256 ? capacity : 256, milliseconds);
    for (int i = 0; i < count; i++) ids[i] = ready[i].data.u64;
    return count < 0 ? 0 : count;
}

int bytes_contain(const void *text, size_t length, const void *part, size_t part_length) {
    return memmem(text, length, part, part_length) != NULL;
}

int child_run(char *const arguments[], const char *log) {
    int child = fork();
    if (child != 0) return child < 0 ? -errno : child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int output = open(log, O_WRONLY | O_CREAT | O_APPEND, 0644);
    int input = open("/dev/null", O_RDONLY);
    dup2(input, 0);
    dup2(output, 1);
    dup2(output, 2);
    execvp(arguments[0], arguments);
    _exit(127);
}

/// The least that any program can do: one thread, one read, one send for each connection.
static void relay(int port, int listener) {
    int connections[1024];
    int count = 0;
    char bytes[4096];
    int events = events_create();
    events_add(events, port, 0);
    events_add(events, listener, 1);
    for (;;) {
        unsigned long long ids[2];
        int ready = events_wait(events, ids, 2, -1);
        for (int i = 0; i < ready; i++) {
            if (ids[i] == 1) {
                int connection = accept(listener, NULL, NULL);
                if (connection >= 0 && count < 1024) connections[count++] = connection;
                continue;
            }
            ssize_t length = read(port, bytes, sizeof bytes);
            if (length <= 0) _exit(0);
            for (int j = 0; j < count; j++) send(connections[j], bytes, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL);
        }
    }
}

int relay_run(int port, int listener) {
    int child = fork();
    if (child != 0) return child < 0 ? -errno : child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    relay(port, listener);
    _exit(0);
}
