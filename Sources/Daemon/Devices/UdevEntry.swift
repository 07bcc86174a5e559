internal import CUdev

/// A device's entry in udev's database.
public struct UdevEntry {
    private let device: OpaquePointer

    /// Calls `body` with each serial port on USB and each receiver on any bus, and returns its values. The entry is
    /// valid during the call only. Empty if there is no udev.
    public static func all<Value>(_ body: (UdevEntry) -> Value?) -> [Value] {
        guard let udev = udev_new() else { return [] }
        defer { udev_unref(udev) }
        guard let enumeration = udev_enumerate_new(udev) else { return [] }
        defer { udev_enumerate_unref(enumeration) }
        udev_enumerate_add_match_subsystem(enumeration, "tty")
        udev_enumerate_add_match_subsystem(enumeration, "gnss")
        // The two properties are alternatives: libudev's test/test-libudev.c. No details of other ttys are read.
        udev_enumerate_add_match_property(enumeration, "ID_BUS", "usb")
        udev_enumerate_add_match_property(enumeration, "ID_LOCATIOND", "1")
        guard udev_enumerate_scan_devices(enumeration) >= 0 else { return [] }
        return UdevList.names(udev_enumerate_get_list_entry(enumeration)).compactMap { path in
            guard let device = udev_device_new_from_syspath(udev, path) else { return nil }
            defer { udev_device_unref(device) }
            return body(UdevEntry(device: device))
        }
    }

    /// The device node, or `nil` if there is none.
    public var node: String? { udev_device_get_devnode(device).map { String(cString: $0) } }

    /// The path in sysfs, or `nil` if the device has gone in the meantime.
    public var path: String? { udev_device_get_syspath(device).map { String(cString: $0) } }

    /// Returns a property that udev's rules have set, or `nil` if it is missing or empty.
    public func property(_ name: String) -> String? {
        udev_device_get_property_value(device, name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns an attribute in sysfs of the parent device with this subsystem and device type, or `nil` if there is
    /// none.
    public func attribute(_ name: String, ofParent subsystem: String, _ type: String? = nil) -> String? {
        udev_device_get_parent_with_subsystem_devtype(device, subsystem, type)
            .flatMap { udev_device_get_sysattr_value($0, name) }.map { String(cString: $0) }
    }
}

enum UdevList {
    /// Returns the names in one of udev's lists, which begins with `first`.
    static func names(_ first: OpaquePointer?) -> [String] {
        sequence(first: first) { $0.flatMap(udev_list_entry_get_next) }.prefix { $0 != nil }
            .compactMap { udev_list_entry_get_name($0).map { String(cString: $0) } }
    }
}
