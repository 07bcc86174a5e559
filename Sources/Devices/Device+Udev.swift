internal import CUdev

extension Device {
    /// Returns the serial ports on USB and the receivers on any bus in udev's database. Empty if there is no udev.
    static func all() -> [Device] {
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
        return entries(udev_enumerate_get_list_entry(enumeration)).compactMap { name in
            guard let device = udev_device_new_from_syspath(udev, name) else { return nil }
            defer { udev_device_unref(device) }
            return Device(device)
        }
    }

    /// Creates a device from its database entry, or returns `nil` if it has no node or has gone in the meantime.
    private init?(_ device: OpaquePointer) {
        guard let node = udev_device_get_devnode(device), let place = udev_device_get_syspath(device) else {
            return nil
        }
        func property(_ name: String) -> String? {
            udev_device_get_property_value(device, name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        func attribute(_ name: String, ofParent subsystem: String, _ type: String? = nil) -> String? {
            udev_device_get_parent_with_subsystem_devtype(device, subsystem, type)
                .flatMap { udev_device_get_sysattr_value($0, name) }.map { String(cString: $0) }
        }
        let product =
            property("ID_LOCATIOND_NAME") ?? attribute("product", ofParent: "usb", "usb_device")
            ?? property("ID_MODEL")?.replacing("_", with: " ")
        self.init(
            node: String(cString: node), path: property("ID_PATH") ?? String(cString: place),
            product: DisplayName.short(product ?? "receiver"))
        links = property("DEVLINKS")?.split(separator: " ").map(String.init) ?? []
        serialNumber = property("ID_SERIAL_SHORT")
        label = property("ID_SERIAL")
        if let number = property("ID_USB_INTERFACE_NUM") {
            let port = attribute("port_number", ofParent: "usb-serial").flatMap { $0 == "0" ? nil : "-\($0)" }
            interface = number + (port ?? "")
        }
        isReceiver = property("ID_LOCATIOND") == "1"
    }

    private static func entries(_ first: OpaquePointer?) -> [String] {
        sequence(first: first) { $0.flatMap(udev_list_entry_get_next) }.prefix { $0 != nil }
            .compactMap { udev_list_entry_get_name($0).map { String(cString: $0) } }
    }
}
