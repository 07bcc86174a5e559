#include "cgroup.h"

#include <linux/magic.h>
#include <sys/vfs.h>

int cgroup_is_root(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 && (unsigned)status.f_type == CGROUP2_SUPER_MAGIC;
}
