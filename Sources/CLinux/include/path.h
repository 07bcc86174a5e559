// Paths that another user chose: openat2(2), which the C library has no function for, and setfsuid(2).
#pragma once

/// Opens what is at the absolute `path` as a place only (O_PATH), close-on-exec, and follows no symbolic link in any
/// part of it. Returns the descriptor, or the negated errno: -ELOOP or -ENOTDIR where a part is a link.
int path_open(const char *path);

/// The same one part after the other, for kernels before Linux 5.6 and filters that do not know openat2(2).
int path_open_stepwise(const char *path);

/// Opens `name`, one part of a path, in the open `folder` as a place only (O_PATH), close-on-exec. Returns the descriptor,
/// or the negated errno: -ELOOP where it is a symbolic link.
int path_open_in(int folder, const char *name);

/// As whom files are looked up: by this thread alone, and for files only.
struct file_user {
    unsigned int uid;
    unsigned int gid;
};

/// Looks files up as `user` from now on, as far as this process may. Returns as whom it was until now.
struct file_user file_user_set(struct file_user user);

/// Whether files are looked up as `user`.
int file_user_is(struct file_user user);
