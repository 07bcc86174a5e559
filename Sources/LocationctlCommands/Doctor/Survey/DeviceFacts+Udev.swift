internal import CUdev
internal import Glibc

extension DeviceFacts {
    /// The drivers that only modems have, in Linux drivers/usb/serial.
    private static let modemDrivers: Set = ["option", "qcserial", "sierra"]
    /// The port types that ModemManager's rules give to modems' ports: MMPortProbe, "ID_MM_PORT_TYPE_…".
    private static let modemPorts = ["GPS", "AT_PRIMARY", "AT_SECONDARY", "AT_PPP", "QCDM"]

    /// Returns the serial ports on USB, and the receivers on any bus, as udev knows them now. Empty if there is no
    /// udev.
    static func all() -> [DeviceFacts] {
        guard let udev = udev_new() else { return [] }
        defer { udev_unref(udev) }
        guard let enumeration = udev_enumerate_new(udev) else { return [] }
        defer { udev_enumerate_unref(enumeration) }
        for subsystem in ["tty", "gnss"] { udev_enumerate_add_match_subsystem(enumeration, subsystem) }
        // One match is enough: udev_enumerate_add_match_property(3) treats several properties as alternatives.
        udev_enumerate_add_match_property(enumeration, "ID_BUS", "usb")
        udev_enumerate_add_match_property(enumeration, "ID_LOCATIOND", "1")
        guard udev_enumerate_scan_devices(enumeration) >= 0 else { return [] }
        let hardware = udev_hwdb_new(udev)
        defer { if let hardware { udev_hwdb_unref(hardware) } }
        return entries(udev_enumerate_get_list_entry(enumeration)).compactMap { path in
            guard let device = udev_device_new_from_syspath(udev, path) else { return nil }
            defer { udev_device_unref(device) }
            return DeviceFacts(device, hardware)
        }.sorted { $0.node < $1.node }
    }

    /// Reads a device from udev, or returns `nil` if it has no node.
    private init?(_ device: OpaquePointer, _ hardware: OpaquePointer?) {
        guard let node = udev_device_get_devnode(device) else { return nil }
        func property(_ name: String) -> String? {
            udev_device_get_property_value(device, name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let usb = udev_device_get_parent_with_subsystem_devtype(device, "usb", "usb_device")
        func attribute(_ name: String) -> String? {
            usb.flatMap { udev_device_get_sysattr_value($0, name) }.map { String(cString: $0) }
        }
        self.init(
            node: String(cString: node),
            product: property("ID_LOCATIOND_NAME") ?? attribute("product") ?? property("ID_MODEL") ?? "serial port")
        links = property("DEVLINKS")?.split(separator: " ").map(String.init) ?? []
        existingLinks = Set(links.filter { access($0, F_OK) == 0 })
        serialNumber = property("ID_SERIAL_SHORT")
        label = property("ID_SERIAL")
        isReceiver = property("ID_LOCATIOND") == "1"
        isInHardwareDatabase =
            hardware.map { hardware in
                guard let vendor = attribute("idVendor"), let product = attribute("idProduct") else { return false }
                let key = "usb:v\(vendor.uppercased())p\(product.uppercased())"
                return Self.entries(udev_hwdb_get_properties_list_entry(hardware, key, 0)).contains("ID_LOCATIOND")
            } ?? false
        isIgnoredByModemManager = ["ID_MM_DEVICE_IGNORE", "ID_MM_PORT_IGNORE"].contains { property($0) == "1" }
        isModemPort =
            Self.modemDrivers.contains(property("ID_USB_DRIVER") ?? "")
            || Self.modemPorts.contains { property("ID_MM_PORT_TYPE_" + $0) == "1" }
        isClaimedByGPSD = property("SYSTEMD_WANTS")?.contains("gpsdctl@") ?? false
    }

    /// Returns the names in one of udev's lists.
    private static func entries(_ first: OpaquePointer?) -> [String] {
        sequence(first: first) { $0.flatMap(udev_list_entry_get_next) }.prefix { $0 != nil }
            .compactMap { udev_list_entry_get_name($0).map { String(cString: $0) } }
    }
}
