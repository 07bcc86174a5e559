#define _GNU_SOURCE
#include "peer.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif
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

int peer_has_group(int socket, unsigned int group) {
    struct peer_credentials credentials;
    int error = peer_credentials(socket, &credentials);
    if (error != 0) return -error;
    if (credentials.gid == group) return 1;
    gid_t few[32], *groups = few, *many = NULL;
    socklen_t size = sizeof few;
    int result = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size);
    // The kernel states how much room it needs, at most for 65,536 groups.
    if (result < 0 && errno == ERANGE) {
        many = malloc(size);
        if (many == NULL) return -ENOMEM;
        groups = many;
        result = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size);
    }
    int found = result < 0 ? -errno : 0;
    if (result == 0) {
        for (size_t index = 0; index < size / sizeof *groups && !found; index++) found = groups[index] == group;
    }
    free(many);
    return found;
}

int socket_file_group(int socket, unsigned int *group) {
    struct sockaddr_un address = {0};
    socklen_t size = sizeof address;
    if (getsockname(socket, (struct sockaddr *)&address, &size) < 0) return errno;
    size_t before = offsetof(struct sockaddr_un, sun_path);
    if (address.sun_family != AF_UNIX || size <= before || address.sun_path[0] == 0) return ENOENT;
    // A path of the maximum length has no NUL.
    char path[sizeof address.sun_path + 1] = {0};
    for (size_t index = 0; index < size - before && index < sizeof address.sun_path; index++)
        path[index] = address.sun_path[index];
    struct stat status;
    if (lstat(path, &status) < 0) return errno;
    if (!S_ISSOCK(status.st_mode)) return ENOENT;
    *group = status.st_gid;
    return 0;
}
