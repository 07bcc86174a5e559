// The process at the other end of a Unix stream socket, as the kernel recorded it when the connection was made:
// unix(7). struct ucred is a GNU declaration, and SO_PEERPIDFD is newer than the headers of our builds.
#pragma once

/// The fields of `struct ucred`.
struct peer_credentials {
    int pid;
    unsigned int uid;
    unsigned int gid;
};

/// Reads SO_PEERCRED. Returns 0 or an errno.
int peer_credentials(int socket, struct peer_credentials *credentials);

/// Reads SO_PEERPIDFD (Linux 6.5). Returns a descriptor that the caller owns, or a negated errno: ENOPROTOOPT from an
/// older kernel, ESRCH or EINVAL if the process has ended.
int peer_pidfd(int socket);

/// Reads SO_PEERGROUPS (Linux 4.13), and compares the process's own group as well. Returns whether `group` is among
/// them: 1 or 0, or a negated errno.
int peer_has_group(int socket, unsigned int group);

/// Reads the group of the file that a connection's own end is bound to. Returns 0 or an errno: ENOENT without a file.
int socket_file_group(int socket, unsigned int *group);
