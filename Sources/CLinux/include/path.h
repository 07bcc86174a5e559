// Paths chosen by another user: openat2(2), for which the C library has no function, and setfsuid(2).
#pragma once

/// Opens the absolute `path` as a location only (O_PATH), close-on-exec, without following a symbolic link in any
/// component. Returns the descriptor, or the negated errno: -ELOOP or -ENOTDIR if a component is a link.
int path_open(const char *path);

/// The same, component by component, for kernels before Linux 5.6 and for filters that do not know openat2(2).
int path_open_stepwise(const char *path);

/// Opens `name`, a single component, in the open `folder` as a location only (O_PATH), close-on-exec. Returns the
/// descriptor, or the negated errno: -ELOOP if it is a symbolic link.
int path_open_in(int folder, const char *name);

/// The user and group as which a thread accesses files. They apply to nothing else.
struct file_user {
    unsigned int uid;
    unsigned int gid;
};

/// Accesses files as `user` from now on, as far as this process is permitted to. Returns the previous value.
struct file_user file_user_set(struct file_user user);

/// Drops the supplementary groups of the calling thread, if it has any. Returns 0 or the errno.
int groups_drop(void);

/// Returns whether files are accessed as `user`.
int file_user_is(struct file_user user);
