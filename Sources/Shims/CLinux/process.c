#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

int process_open(int pid) {
    long descriptor = syscall(SYS_pidfd_open, pid, 0);
    return descriptor < 0 ? -errno : (int)descriptor;
}

int process_set_create(void) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    return epoll < 0 ? -errno : epoll;
}

int process_set_add(int epoll, int descriptor, unsigned long long id) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = id};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

int process_set_ended(int epoll, unsigned long long *ids, int capacity) {
    struct epoll_event events[64];
    int count = epoll_wait(epoll, events, capacity < 64 ? capacity : 64, 0);
    for (int i = 0; i < count; i++) ids[i] = events[i].data.u64;
    return count < 0 ? 0 : count;
}

int process_is_alive(int pidfd) {
    struct pollfd state = {.fd = pidfd, .events = POLLIN};
    int ready;
    do {
        ready = poll(&state, 1, 0);
    } while (ready < 0 && errno == EINTR);
    return ready == 0;
}

int process_id(int pidfd) {
    char path[64], line[128];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", pidfd);
    FILE *file = fopen(path, "re");
    if (file == NULL) return -errno;
    int pid = -EBADF;
    while (pid == -EBADF && fgets(line, sizeof line, file) != NULL) {
        // The value is -1 after the process was waited for.
        if (strncmp(line, "Pid:", 4) == 0) pid = (int)strtol(line + 4, NULL, 10);
    }
    fclose(file);
    return pid == -1 ? 0 : pid;
}
