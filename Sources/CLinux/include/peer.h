// Who is at the other end of a Unix stream socket, as the kernel recorded it when the connection was made: unix(7).
// struct ucred is a GNU declaration, and SO_PEERPIDFD is younger than the headers that we build with.
#pragma once

/// The fields of `struct ucred`.
struct peer_credentials {
    int pid;
    unsigned int uid;
    unsigned int gid;
};

/// Reads SO_PEERCRED; returns 0 or an errno.
int peer_credentials(int socket, struct peer_credentials *credentials);

/// Reads SO_PEERPIDFD (Linux 6.5); returns a descriptor that the caller owns, or a negated errno: ENOPROTOOPT from
/// an older kernel, ESRCH or EINVAL when the process is gone.
int peer_pidfd(int socket);
