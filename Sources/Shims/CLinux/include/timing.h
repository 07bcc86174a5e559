// Time for programs that discipline the clock: the protocol of chrony's SOCK reference clock (chrony.conf(5), and
// refclock_sock.c of chrony 4.3), and pulses as the kernel records them (RFC 2783, linux/pps.h).
#pragma once

/// Opens a socket to send samples with, close-on-exec and non-blocking. Returns the descriptor or the negated errno.
int time_socket_open(void);

/// Sends a sample to chronyd's socket at `path`, without blocking.
///
/// `wall` is the time by the wall clock in nanoseconds since 1970, truncated to microseconds. `offset` is the true time
/// minus `wall`, in seconds. Returns 0 or an errno: ENOENT or ECONNREFUSED if chronyd does not listen there, EACCES if
/// this user may not write to the socket, EAGAIN if chronyd does not keep up, ENAMETOOLONG from 108 bytes on.
int time_sample_send(int socket, const char *path, long long wall, double offset);

/// Opens the PPS device at `path` for reading, close-on-exec. Returns the descriptor or the negated errno: -ENOTTY if it
/// is not a PPS device, -EOPNOTSUPP if the device records no assert edges.
int pps_open(const char *path);

/// The last assert edge that the kernel has recorded.
struct pps_edge {
    /// The number of the edge: 0 before the first one.
    unsigned sequence;
    /// The time by the wall clock, in nanoseconds since 1970.
    long long wall;
};

/// Reads the last edge, without waiting for one. Returns 0 or an errno: ENODEV if the device has gone.
int pps_last_edge(int descriptor, struct pps_edge *edge);
