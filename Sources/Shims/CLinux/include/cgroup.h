// Control groups: cgroups(7). The Glibc module lacks statfs(2).
#pragma once

/// Returns whether the unified hierarchy of control groups is mounted at `path`: 1 or 0.
int cgroup_is_root(const char *path);
