// Process descriptors: pidfd_open(2), which the C library of Debian 12 has only under another name.
#pragma once

/// Returns a descriptor of the process with this id, close-on-exec, or the negated errno if the process does not exist.
int process_open(int pid);

/// Creates an epoll(7) instance, close-on-exec. Returns its descriptor or the negated errno.
int process_set_create(void);

/// Watches a descriptor until it becomes readable. This is reported once, as `id`. Returns 0 or an errno.
int process_set_add(int epoll, int descriptor, unsigned long long id);

/// Stores the ids of descriptors that have become readable, without blocking. Returns their number: 0 to
/// `capacity`, at most 64.
int process_set_ended(int epoll, unsigned long long *ids, int capacity);

/// Returns whether the process of a pidfd is still alive: 1 or 0.
int process_is_alive(int pidfd);

/// Returns the id of a pidfd's process as seen by this process, proc(5): at least 1, or 0 if the process has no id
/// here, because it has ended or is in a pid namespace that is not below ours. Returns the negated errno if the
/// descriptor is not a pidfd.
int process_id(int pidfd);
