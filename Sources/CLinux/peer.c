#define _GNU_SOURCE
#include "peer.h"

#include <errno.h>
#include <sys/socket.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int peer_credentials(int socket, struct peer_credentials *credentials) {
    struct ucred read;
    socklen_t size = sizeof read;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &read, &size) < 0) return errno;
    credentials->pid = read.pid;
    credentials->uid = read.uid;
    credentials->gid = read.gid;
    return 0;
}

int peer_pidfd(int socket) {
    int descriptor = -1;
    socklen_t size = sizeof descriptor;
    return getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &descriptor, &size) < 0 ? -errno : descriptor;
}
