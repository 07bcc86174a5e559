// Messages over SOCK_SEQPACKET sockets, with a descriptor each: unix(7). The macros of cmsg(3) do not import.
#pragma once
#include <stddef.h>

/// Connects to the sequenced-packet socket at `path`, at most 107 bytes, without waiting. Returns the descriptor,
/// close-on-exec, or the negated errno: -EAGAIN where too many wait there.
int packet_connect(const char *path);

/// Sends one message, with `descriptor` unless that is negative, without waiting and without SIGPIPE. Returns 0 or an
/// errno.
int packet_send(int socket, const void *bytes, size_t count, int descriptor);

/// Takes one message, and the first descriptor that came with it, close-on-exec, else -1; any others are closed. Waits for
/// it `milliseconds`, or for ever where that is negative. Returns its length, 0 when the other side has closed, or the
/// negated errno: -ETIMEDOUT; -EMSGSIZE when it is longer than `capacity`.
long packet_receive(int socket, void *bytes, size_t capacity, int *descriptor, int milliseconds);

/// Connects a stream socket to the socket that `place` was opened at (O_PATH), without waiting. Returns the descriptor,
/// close-on-exec and non-blocking, or the negated errno: -EAGAIN where too many wait there.
int place_connect(int place);
