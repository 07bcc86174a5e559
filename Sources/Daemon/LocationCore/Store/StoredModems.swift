internal import GRDB
internal import Logging
internal import NIOCore
internal import Receivers

/// Remembers over restarts which modems' receivers are switched on.
final class StoredModems: SwitchedModemMemory {
    let modems: Set<SwitchedModem>
    private let store: Store
    private let loop: any EventLoop
    private let log: Logger

    init(_ store: Store, on loop: any EventLoop, log: Logger) {
        modems = store.loadModems()
        self.store = store
        self.loop = loop
        self.log = log
    }

    func remember(_ modem: SwitchedModem) -> EventLoopFuture<Void> {
        let log = log
        let written = store.insert(modem, on: loop)
        written.whenFailure { error in
            log.warning("the receiver in a modem stays on if locationd crashes: \(error)")
        }
        return written
    }

    func forget(_ modem: SwitchedModem) { _ = store.delete(modem, on: loop) }
}

extension Store {
    /// Returns the modems whose receivers are switched on. There are none if the database cannot be read.
    func loadModems() -> Set<SwitchedModem> {
        let rows = try? read { try Row.fetchAll($0, sql: "SELECT bus, service, path FROM modem") }
        return Set(
            (rows.flatMap(\.self) ?? []).compactMap { row in
                guard let bus = String.fromDatabaseValue(row["bus"]),
                    let service = String.fromDatabaseValue(row["service"]),
                    let path = String.fromDatabaseValue(row["path"])
                else { return nil }
                return SwitchedModem(bus: bus, service: service, path: path)
            })
    }

    /// Writes a modem. Succeeds once it is on the disk.
    func insert(_ modem: SwitchedModem, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write(on: loop) { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO modem (bus, service, path) VALUES (?, ?, ?)",
                arguments: [modem.bus, modem.service, modem.path])
        }
    }

    func delete(_ modem: SwitchedModem, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write(on: loop) { database in
            try database.execute(
                sql: "DELETE FROM modem WHERE bus = ? AND service = ? AND path = ?",
                arguments: [modem.bus, modem.service, modem.path])
        }
    }
}
