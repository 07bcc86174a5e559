internal import Devices
internal import Glibc

extension DeviceFacts {
    /// The drivers that only modems have, in Linux drivers/usb/serial.
    private static let modemDrivers: Set = ["option", "qcserial", "sierra"]
    /// The types that ModemManager's rules assign to modems' ports: MMPortProbe, "ID_MM_PORT_TYPE_…".
    private static let modemPorts = ["GPS", "AT_PRIMARY", "AT_SECONDARY", "AT_PPP", "QCDM"]

    /// Returns the serial ports on USB, and the receivers on any bus, as udev knows them now. Empty if there is no
    /// udev.
    static func all() -> [DeviceFacts] {
        let hardware = HardwareDatabase()
        return UdevEntry.all { entry in
            let isListed = hardware?.listsAsReceiver(entry) ?? false
            return Device(entry).map { DeviceFacts($0, entry, isInHardwareDatabase: isListed) }
        }
        .sorted { $0.node < $1.node }
    }

    private init(_ device: Device, _ entry: UdevEntry, isInHardwareDatabase: Bool) {
        self.init(device: device)
        existingLinks = Set(device.links.filter { access($0, F_OK) == 0 })
        self.isInHardwareDatabase = isInHardwareDatabase
        isIgnoredByModemManager =
            ["ID_MM_DEVICE_IGNORE", "ID_MM_PORT_IGNORE"].contains { entry.property($0) == "1" }
        isModemPort =
            Self.modemDrivers.contains(entry.property("ID_USB_DRIVER") ?? "")
            || Self.modemPorts.contains { entry.property("ID_MM_PORT_TYPE_" + $0) == "1" }
        isClaimedByGPSD = entry.property("SYSTEMD_WANTS")?.contains("gpsdctl@") ?? false
    }
}
