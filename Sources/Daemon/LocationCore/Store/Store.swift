internal import GRDB
internal import NIOCore
internal import NIOPosix
internal import StateFiles

/// The data on the disk, in SQLite: decisions, services switches, monitoring, access log, reducer, serial settings.
///
/// A decision is on the disk when its future succeeds: the journal is synchronised at each commit (synchronous FULL),
/// so neither `kill -9` nor a power cut takes the decision back. All writing is done on a thread of its own, in the
/// order of the calls. After the start, the event loop never waits for the disk.
struct Store: Sendable {
    /// The reason why the database could not be read or written.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private enum Backing {
        case open(DatabaseQueue, RowChecksum)
        /// The file could not be opened. Nothing can be granted; the daemon runs and reports that.
        case unavailable(reason: String)
    }

    private let backing: Backing
    /// One thread that waits for the disk, so that writes keep their order. Not Dispatch's: see `Daemon`.
    private let thread = NIOThreadPool(numberOfThreads: 1)

    /// The writes that have failed.
    let failures = StoreFailures()

    /// The messages about the database at the start, for the log.
    let notices: [String]

    /// The path of the database.
    let path: String

    /// Opens the database, and creates it if there is none.
    ///
    /// A damaged file is set aside under another name, never deleted, and a new one takes its place. The apps in it
    /// have to be granted again. A file that cannot be used for another reason is left alone.
    ///
    /// - Parameters:
    ///   - secret: The machine's secret, the key of the rows' checksums. If it cannot be read, nothing is granted and
    ///     nothing is written.
    ///   - timestamp: A part of the new name of a damaged file.
    ///   - busyTimeout: The time to wait for another process that has locked the file, in seconds.
    init(path: String, secret: Result<[UInt8], Secret.Failure>, timestamp: String, busyTimeout: Double = 5) {
        self.path = path
        thread.start()
        switch secret {
        case .success(let secret):
            (backing, notices) = Self.open(
                path, RowChecksum(secret: secret), timestamp: timestamp, busyTimeout: busyTimeout)
        case .failure(let failure):
            (backing, notices) = (.unavailable(reason: "\(failure)"), ["nothing is granted: \(failure)"])
        }
    }

    private static func open(
        _ path: String, _ checksum: RowChecksum, timestamp: String, busyTimeout: Double
    ) -> (Backing, notices: [String]) {
        do {
            // SQLite treats an empty file as a new one.
            let isEmpty = size(path) == 0
            let queue = try openSound(path, busyTimeout: busyTimeout)
            let backing = Backing.open(queue, checksum)
            if isEmpty {
                return (backing, ["the database \(path) was empty: every app has to be granted again"])
            }
            do {
                try checkWritable(queue)
                return (backing, [])
            } catch {
                return (backing, [StoreFault(error).readOnlyNotice(path, error)])
            }
        } catch {
            let fault = StoreFault(error)
            guard fault == .damaged else {
                return (.unavailable(reason: "\(error)"), [fault.notice(path, error)])
            }
            do {
                let aside = try setAside(database: path, suffix: ".damaged-\(timestamp)")
                return (
                    .open(try openSound(path, busyTimeout: busyTimeout), checksum),
                    ["the database is damaged (\(error)): set aside as \(aside); every app has to be granted again"]
                )
            } catch let second {
                return (
                    .unavailable(reason: "\(second)"),
                    [
                        "the database \(path) is damaged (\(error)) and cannot be set aside (\(second)), so nothing is "
                            + "granted: move it away, then start locationd again"
                    ]
                )
            }
        }
    }

    /// Reads, and waits for the result. Returns `nil` if the database could not be opened.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        guard case .open(let queue, _) = backing else { return nil }
        return try queue.read(body)
    }

    /// Reads and writes rows with a checksum, and waits for it. Returns `nil` if the database could not be opened.
    func update<Value>(_ body: (DatabaseQueue, RowChecksum) throws -> Value) throws -> Value? {
        guard case .open(let queue, let checksum) = backing else { return nil }
        return try body(queue, checksum)
    }

    /// Reads on the store's thread, after all earlier writes. `body` gets `nil` if the database could not be opened.
    func read<Value: Sendable>(
        on loop: any EventLoop, _ body: @escaping @Sendable (Database?) throws -> Value
    ) -> EventLoopFuture<Value> {
        thread.runIfActive(eventLoop: loop) {
            do {
                guard case .open(let queue, _) = backing else { return try body(nil) }
                return try queue.read(body)
            } catch {
                throw Failure(description: "\(error)")
            }
        }
    }

    /// Runs `change` in a transaction on the store's thread. Succeeds with its result once that is on the disk.
    ///
    /// - Parameter erasing: `true` if deleted data must not stay in the journal either, which keeps older pages until
    ///   they are overwritten. The data stays there while another process reads the database.
    func write<Value: Sendable>(
        on loop: any EventLoop, erasing: Bool = false, _ change: @escaping @Sendable (Database) throws -> Value
    ) -> EventLoopFuture<Value> {
        write(on: loop, erasing: erasing) { database, _ in try change(database) }
    }

    /// Writes rows with a checksum. Otherwise as above.
    func write<Value: Sendable>(
        on loop: any EventLoop, erasing: Bool = false,
        _ change: @escaping @Sendable (Database, RowChecksum) throws -> Value
    ) -> EventLoopFuture<Value> {
        write(on: loop, erasing: { _ in erasing }, change)
    }

    /// Writes rows with a checksum, and erases deleted data if `erasing` returns `true` for the result.
    func write<Value: Sendable>(
        on loop: any EventLoop, erasing: @escaping @Sendable (Value) -> Bool,
        _ change: @escaping @Sendable (Database, RowChecksum) throws -> Value
    ) -> EventLoopFuture<Value> {
        switch backing {
        case .unavailable(let reason):
            failures.add()
            return loop.makeFailedFuture(Failure(description: "the database cannot be opened: \(reason)"))
        case .open(let queue, let checksum):
            return thread.runIfActive(eventLoop: loop) { [failures] in
                let value: Value
                do {
                    value = try queue.write { try change($0, checksum) }
                } catch {
                    failures.add()
                    throw Failure(description: "\(error)")
                }
                if erasing(value) {
                    // The change itself is on the disk, and the next erasure includes this one.
                    do { try Self.erase(in: queue) } catch { failures.add() }
                }
                return value
            }
        }
    }

    /// Erases deleted data from the files. A page that was split or merged keeps copies of moved rows, which
    /// secure_delete does not overwrite, and the journal keeps older pages until it is reset.
    private static func erase(in queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "VACUUM")
            _ = try database.checkpoint(.truncate)
        }
    }
}
