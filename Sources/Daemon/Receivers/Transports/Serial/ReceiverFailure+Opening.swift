import CLinux
import Glibc
import LocationModel

extension ReceiverFailure {
    /// Returns the failure for a serial port that could not be opened. Its message says what to do.
    static func opening(_ path: String, error: CInt) -> ReceiverFailure {
        switch error {
        case ENOENT, ENXIO, ENODEV:
            ReceiverFailure(.missing, "\(path) is not there: is the receiver plugged in?")
        case EACCES, EPERM:
            ReceiverFailure(.notPermitted, notPermitted(path, access: DeviceAccess(path: path)))
        case EBUSY:
            ReceiverFailure(.busy, "\(path) is in use by \(holder(of: path)): only one program can read a serial port")
        case ENOTTY, EISDIR:
            ReceiverFailure(.unusable, "\(path) is not a serial port")
        default:
            ReceiverFailure(.unusable, "cannot open \(path): \(String(cString: strerror(error)))")
        }
    }

    /// Returns the message for missing permissions. The remedy is to join the node's group if that group has access,
    /// otherwise to add a udev rule that grants access to a group.
    static func notPermitted(_ path: String, access: DeviceAccess?) -> String {
        guard let access else {
            return "not permitted to open \(path): the directories above it keep locationd's user out"
        }
        if access.groupMayRead, access.group != "root" {
            return """
                not permitted to open \(path): add the user that locationd runs as to the group \(access.group) \
                (\(access))
                """
        }
        return """
            not permitted to open \(path), to which no group has access: add a udev rule, for example with \
            GROUP="dialout", MODE="0660" (\(access))
            """
    }

    private static func holder(of path: String) -> String {
        let name = UnsafeMutablePointer<CChar>.allocate(capacity: Int(TTY_NAME_SIZE))
        defer { name.deallocate() }
        let process = tty_holder(path, 0, name)
        return process == 0 ? "another process" : "\(String(cString: name)) (process \(process))"
    }
}

/// The ownership and permissions of a device node.
struct DeviceAccess: CustomStringConvertible {
    var owner: String
    var group: String
    /// The permission bits.
    var mode: mode_t

    var groupMayRead: Bool { mode & S_IRGRP != 0 }

    var groupMayWrite: Bool { mode & S_IWGRP != 0 }

    /// The form `owner root, group dialout, mode 0660`.
    var description: String {
        "owner \(owner), group \(group), mode \(Int(mode).padded(to: 4, radix: 8))"
    }
}

extension DeviceAccess {
    /// Reads the permissions of the node at `path`, or returns `nil` if they cannot be read.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "\(status.st_uid)"
        group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
        mode = status.st_mode & 0o7777
    }
}
