// Paths chosen by another user: openat2(2), which has no function in the C library, and setfsuid(2).
#pragma once

/// Opens the absolute `path` as a location only (O_PATH), close-on-exec, without following a symbolic link in any
/// component. Returns the descriptor, or the negated errno: -ELOOP or -ENOTDIR if a component is a link.
int path_open(const char *path);

/// The same, component by component, for kernels before Linux 5.6 and for filters that do not know openat2(2).
int path_open_stepwise(const char *path);

/// Opens `name`, a single component, in the open `folder` as a location only (O_PATH), close-on-exec. Returns the
/// descriptor, or the negated errno: -ELOOP if it is a symbolic link.
int path_open_in(int folder, const char *name);

/// Opens the folder at `path` as a location only (O_PATH), close-on-exec. Follows links, but asks no file system if the
/// last component is a link of proc(5). Returns the descriptor or the negated errno.
int path_open_folder(const char *path);

/// Opens the file at `path` as a location only (O_PATH), close-on-exec. Follows links. Returns the descriptor or the
/// negated errno.
int path_open_following(const char *path);

/// Opens `name` like path_open_in, if the kernel has the name in its memory, without asking the file system, which may
/// never answer. Opens a symbolic link itself. Returns -EAGAIN if the name is not in memory, or if the kernel cannot
/// decide this at once because something is being mounted or renamed. The file system is asked nevertheless before
/// Linux 5.12, and under filters that do not know openat2(2).
int path_find_in(int folder, const char *name);

/// What the kernel knows about a file.
struct file_status {
    unsigned int type;
    unsigned long long device;
    unsigned long long inode;
    /// The ID of its mount: mount_namespaces(7), the first field of /proc/PID/mountinfo. 0 before Linux 5.8.
    unsigned long long mount;
};

/// Reads the status of the file at `path` below `folder`, or of `folder` itself if the path is empty, as last reported
/// by the file system, without asking it again. Follows a symbolic link at the end of the path if `follows` is 1.
/// Returns 0 or an errno.
int file_status_read(int folder, const char *path, int follows, struct file_status *status);

/// The user and group for a thread's access to files. They apply to nothing else.
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
