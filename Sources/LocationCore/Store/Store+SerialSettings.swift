internal import GRDB
internal import NIOCore
internal import Receivers

/// How the serial lines of receivers were read last, by device.
extension Store {
    /// What is stored. Rows that are not understood are left out, and so is everything where the database cannot be read: then
    /// it is found out anew.
    func loadLines() -> [String: SerialSettings] {
        let rows = try? read { try Row.fetchAll($0, sql: "SELECT device, bitsPerSecond, framing FROM line") }
        var lines: [String: SerialSettings] = [:]
        for row in rows.flatMap(\.self) ?? [] {
            guard let device = String.fromDatabaseValue(row["device"]),
                let speed = Int.fromDatabaseValue(row["bitsPerSecond"]),
                ReceiverSpecification.baudRates.contains(speed),
                let framing = String.fromDatabaseValue(row["framing"]).flatMap(SerialSettings.Framing.init)
            else { continue }
            lines[device] = SerialSettings(speed, framing)
        }
        return lines
    }

    /// Writes the settings of a device in the place of older ones. Succeeds once they are on the disk.
    func write(_ settings: SerialSettings, ofDevice device: String, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write(on: loop) { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO line (device, bitsPerSecond, framing) VALUES (?, ?, ?)",
                arguments: [device, settings.bitsPerSecond, settings.framing.rawValue])
        }
    }
}
