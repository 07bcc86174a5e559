// Process descriptors: pidfd_open(2), which the C library of Debian 12 has under another name only.
#pragma once

/// A descriptor of the process with that id, close-on-exec; the negated errno where there is none.
int process_open(int pid);

/// A new epoll(7) instance, close-on-exec; the negated errno where there is none to be had.
int process_set_create(void);

/// Watches a descriptor for becoming readable, to be told once, as `id`. Returns 0 or an errno.
int process_set_add(int epoll, int descriptor, unsigned long long id);

/// Writes the ids of descriptors that have become readable, without waiting, and returns how many: 0 to `capacity`.
int process_set_ended(int epoll, unsigned long long *ids, int capacity);

/// Waits until a descriptor of the set has become readable.
void process_set_wait(int epoll);

/// Whether the process of a pidfd has not ended yet: 1 or 0.
int process_is_alive(int pidfd);

/// The id of a pidfd's process as this process sees it, proc(5): at least 1; 0 where it has none here, because it has
/// ended or is in a pid namespace of its own that is not below ours; the negated errno where the descriptor is none of
/// a process.
int process_id(int pidfd);
