internal import CUdev
internal import Devices
internal import Glibc

extension DeviceFacts {
    /// The drivers that only modems have, in Linux drivers/usb/serial.
    private static let modemDrivers: Set = ["option", "qcserial", "sierra"]
    /// The port types that ModemManager's rules give to modems' ports: MMPortProbe, "ID_MM_PORT_TYPE_…".
    private static let modemPorts = ["GPS", "AT_PRIMARY", "AT_SECONDARY", "AT_PPP", "QCDM"]

    /// Returns the serial ports on USB, and the receivers on any bus, as udev knows them now. Empty if there is no
    /// udev.
    static func all() -> [DeviceFacts] {
        let udev = udev_new()
        let hardware = udev_hwdb_new(udev)
        defer {
            if let hardware { udev_hwdb_unref(hardware) }
            if let udev { udev_unref(udev) }
        }
        return UdevEntry.all { entry in Device(entry).map { DeviceFacts($0, entry, hardware) } }
            .sorted { $0.node < $1.node }
    }

    private init(_ device: Device, _ entry: UdevEntry, _ hardware: OpaquePointer?) {
        self.init(device: device)
        existingLinks = Set(device.links.filter { access($0, F_OK) == 0 })
        isInHardwareDatabase = hardware.map { Self.isListed(entry, in: $0) } ?? false
        isIgnoredByModemManager =
            ["ID_MM_DEVICE_IGNORE", "ID_MM_PORT_IGNORE"].contains { entry.property($0) == "1" }
        isModemPort =
            Self.modemDrivers.contains(entry.property("ID_USB_DRIVER") ?? "")
            || Self.modemPorts.contains { entry.property("ID_MM_PORT_TYPE_" + $0) == "1" }
        isClaimedByGPSD = entry.property("SYSTEMD_WANTS")?.contains("gpsdctl@") ?? false
    }

    private static func isListed(_ entry: UdevEntry, in hardware: OpaquePointer) -> Bool {
        guard let vendor = entry.attribute("idVendor", ofParent: "usb", "usb_device"),
            let product = entry.attribute("idProduct", ofParent: "usb", "usb_device")
        else { return false }
        let key = "usb:v\(vendor.uppercased())p\(product.uppercased())"
        return entries(udev_hwdb_get_properties_list_entry(hardware, key, 0)).contains("ID_LOCATIOND")
    }

    /// Returns the names in one of udev's lists.
    private static func entries(_ first: OpaquePointer?) -> [String] {
        sequence(first: first) { $0.flatMap(udev_list_entry_get_next) }.prefix { $0 != nil }
            .compactMap { udev_list_entry_get_name($0).map { String(cString: $0) } }
    }
}
