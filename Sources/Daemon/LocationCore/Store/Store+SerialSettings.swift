internal import Devices
internal import GRDB
internal import NIOCore
internal import Receivers

/// The last serial settings of receivers, by device.
extension Store {
    /// Returns the stored settings. Rows that are not understood are left out. If the database cannot be read, there
    /// are none, and the settings are detected again.
    func loadSerialSettings() -> [String: SerialSettings] {
        let rows = try? read { try Row.fetchAll($0, sql: "SELECT device, bitsPerSecond, framing FROM serialSettings") }
        var settings: [String: SerialSettings] = [:]
        for row in rows.flatMap(\.self) ?? [] {
            guard let device = String.fromDatabaseValue(row["device"]),
                let speed = Int.fromDatabaseValue(row["bitsPerSecond"]),
                ReceiverSpecification.baudRates.contains(speed),
                let framing = String.fromDatabaseValue(row["framing"]).flatMap(SerialSettings.Framing.init)
            else { continue }
            settings[device] = SerialSettings(speed, framing)
        }
        return settings
    }

    /// Writes the settings of a device, replacing older ones. Succeeds once they are on the disk.
    func write(_ settings: SerialSettings, ofDevice device: String, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write(on: loop) { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO serialSettings (device, bitsPerSecond, framing) VALUES (?, ?, ?)",
                arguments: [device, settings.bitsPerSecond, settings.framing.rawValue])
        }
    }
}
