#define _GNU_SOURCE
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#ifndef RESOLVE_CACHED
#define RESOLVE_CACHED 0x20
#endif

int path_open(const char *path) {
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    long descriptor;
    do {
        descriptor = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor >= 0) return (int)descriptor;
    // A seccomp filter that does not know the call returns EPERM.
    return errno == ENOSYS || errno == EPERM ? path_open_stepwise(path) : -errno;
}

/// Opens one component of a path. O_PATH with O_NOFOLLOW opens a symbolic link itself, so links have to be detected
/// with fstat.
static int open_part(int folder, const char *name, int flags) {
    int descriptor;
    do {
        descriptor = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC | flags);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return -errno;
    struct stat status;
    int error = fstat(descriptor, &status) < 0 ? errno : S_ISLNK(status.st_mode) ? ELOOP : 0;
    if (error == 0) return descriptor;
    close(descriptor);
    return -error;
}

int path_open_in(int folder, const char *name) {
    return open_part(folder, name, 0);
}

/// Opens a location. Follows links.
static int open_following(const char *path, int flags) {
    int descriptor;
    do {
        descriptor = open(path, O_PATH | O_CLOEXEC | flags);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor < 0 ? -errno : descriptor;
}

int path_open_folder(const char *path) {
    return open_following(path, O_DIRECTORY);
}

int path_open_following(const char *path) {
    return open_following(path, 0);
}

int path_find_in(int folder, const char *name) {
    struct open_how how = {.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC, .resolve = RESOLVE_CACHED};
    long descriptor;
    do {
        descriptor = syscall(SYS_openat2, folder, name, &how, sizeof how);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor >= 0) return (int)descriptor;
    // EINVAL: RESOLVE_CACHED is unknown.
    return errno == ENOSYS || errno == EPERM || errno == EINVAL ? path_open_in(folder, name) : -errno;
}

int file_status_read(int folder, const char *path, int follows, struct file_status *status) {
    struct statx read;
    int flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC | (follows ? 0 : AT_SYMLINK_NOFOLLOW);
    if (statx(folder, path, flags, STATX_TYPE | STATX_INO | STATX_MNT_ID, &read) < 0) return errno;
    status->type = read.stx_mode & S_IFMT;
    status->device = makedev(read.stx_dev_major, read.stx_dev_minor);
    status->inode = read.stx_ino;
    status->mount = read.stx_mask & STATX_MNT_ID ? read.stx_mnt_id : 0;
    return 0;
}

int path_open_stepwise(const char *path) {
    char name[NAME_MAX + 1];
    int folder = open_part(AT_FDCWD, "/", O_DIRECTORY);
    while (folder >= 0) {
        path += strspn(path, "/");
        if (*path == 0) break;
        size_t length = strcspn(path, "/");
        int next = -ENAMETOOLONG;
        if (length <= NAME_MAX) {
            memcpy(name, path, length);
            name[length] = 0;
            next = open_part(folder, name, path[length] == '/' ? O_DIRECTORY : 0);
        }
        close(folder);
        folder = next;
        path += length;
    }
    return folder;
}

struct file_user file_user_set(struct file_user user) {
    // Both calls return the old value, whether or not they worked. The group comes first: only root can set it.
    struct file_user old;
    old.gid = (unsigned)setfsgid(user.gid);
    old.uid = (unsigned)setfsuid(user.uid);
    return old;
}

int groups_drop(void) {
    if (getgroups(0, NULL) <= 0) return 0;
    // The C library's function changes the groups of all threads (setgroups(2), NOTES).
    return syscall(SYS_setgroups, 0, NULL) < 0 ? errno : 0;
}

int file_user_is(struct file_user user) {
    // User -1 does not exist: the call changes nothing and returns the current value.
    return (unsigned)setfsuid(-1) == user.uid && (unsigned)setfsgid(-1) == user.gid;
}
