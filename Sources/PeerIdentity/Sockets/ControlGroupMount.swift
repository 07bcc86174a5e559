internal import CLinux

/// The folder at which the unified hierarchy of control groups is mounted.
enum ControlGroupMount {
    /// The folder, or `nil` if the hierarchy is not mounted. systemd mounts it at the first of these or, beside the
    /// older hierarchies, at the second.
    static var root: String? { ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].first { cgroup_is_root($0) != 0 } }
}
