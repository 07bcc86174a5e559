// Stream sockets whose other end may belong to any process: unix(7), socket(7), recv(2).
#pragma once
#include <stddef.h>

/// Makes a listening Unix socket, and its later connections, refuse descriptors: a process that sends one gets EPERM
/// (SO_PASSRIGHTS, Linux 6.16). Returns 0 or an errno: ENOPROTOOPT from an older kernel.
int stream_refuse_descriptors(int listener);

/// Accepts a connection, close-on-exec and non-blocking. Returns its descriptor or the negated errno.
int stream_accept(int listener);

/// Returns 1 if the other end of a connection sends nothing more and has sent nothing, and 0 otherwise.
int stream_is_over(int socket);

/// Makes urgent data of a Unix socket part of its stream. Otherwise recv(2) drops the urgent byte at the head of the
/// queue, together with the descriptors that were sent with it, and peeking at the queue does not reveal them.
void stream_inline_urgent(int socket);

/// Receives at most `capacity` bytes without blocking, and nothing that was sent with a descriptor. Returns the number
/// of bytes, 0 at the end, or the negated errno: -EBADMSG if a descriptor comes next.
///
/// recv(2) would drop the descriptor, and the kernel would close the file in the calling thread. Instead, the
/// descriptor is detected by peeking at the queue without room for it, which copies and closes nothing.
long stream_receive(int socket, void *bytes, size_t capacity);

/// Returns the number of bytes that wait to be received.
int stream_unread(int socket);

/// Reads the family and the type of a socket: SO_DOMAIN, SO_TYPE. Returns 0 or an errno: ENOTSOCK for another
/// descriptor.
int socket_kind(int descriptor, int *family, int *type);

/// Returns whether a family and a type of socket belong to a Bluetooth stream connection: 1 or 0.
int socket_is_rfcomm(int family, int type);

/// Closes descriptors like `descriptor_close`, one after another.
void descriptors_close_all(const int *descriptors, size_t count);

/// Closes a descriptor. Whenever the kernel waits for something in doing so, such as a socket that lingers (SO_LINGER),
/// the wait is interrupted. Uses the signal SIGRTMIN + 7 of the calling thread.
void descriptor_close(int descriptor);

/// Calls a function that closes descriptors, and interrupts it in the same way.
void descriptors_close(void (*function)(void *), void *argument);
