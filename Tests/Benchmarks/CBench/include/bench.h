// The benchmark's functions of Linux that the Glibc module does not import: epoll(7), fork(2), memmem(3).
// What returns a descriptor or a process returns the negated errno where it fails.
#pragma once
#include <stddef.h>

/// A new epoll instance.
int events_create(void);

/// Watches a descriptor for being readable (level-triggered), to be told as `id`. Returns 0 or an errno.
int events_add(int events, int descriptor, unsigned long long id);

/// Writes the ids of readable descriptors, waiting up to `milliseconds`, and returns how many: 0 to `capacity`.
int events_wait(int events, unsigned long long *ids, int capacity, int milliseconds);

/// Whether `text` has `part` in it.
int bytes_contain(const void *text, size_t length, const void *part, size_t part_length);

/// Runs a program, found in PATH, with its output in the file `log`. It ends with this process.
int child_run(char *const arguments[], const char *log);

/// Runs a process that copies its input from the port to every connection that `listener` has accepted.
int relay_run(int port, int listener);
