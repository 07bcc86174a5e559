/// A switch that blocks Bluetooth on a machine: rfkill(8).
///
/// BlueZ distinguishes an adapter that is blocked from one that is off since its version 5.65 only.
struct BluetoothSwitch: Sendable, Equatable {
    /// A Boolean value indicating whether an adapter is blocked by software.
    var isBlockedBySoftware = false
    /// A Boolean value indicating whether an adapter is blocked by a switch or the firmware.
    var isBlockedByHardware = false

    /// Returns what the kernel says of the adapters: Documentation/ABI/stable/sysfs-class-rfkill.
    static func of(_ root: SystemRoot) -> BluetoothSwitch {
        let folder = "/sys/class/rfkill"
        func value(_ file: String, of name: String) -> String? {
            root.text("\(folder)/\(name)/\(file)")?.split(separator: "\n").first.map(String.init)
        }
        var result = BluetoothSwitch()
        for name in root.names(in: folder) where value("type", of: name) == "bluetooth" {
            if value("soft", of: name) == "1" { result.isBlockedBySoftware = true }
            if value("hard", of: name) == "1" { result.isBlockedByHardware = true }
        }
        return result
    }
}
