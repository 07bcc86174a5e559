internal import GRDB
internal import NIOCore
internal import NIOPosix

/// What is kept on disk: decisions, the services switches, and what monitoring keeps, in SQLite.
///
/// A decision is on the disk when its future succeeds: the journal is synchronised at each commit (synchronous FULL), so
/// neither `kill -9` nor a power cut takes it back. All writing is done on a thread of its own, in the order of the
/// calls; the event loop never waits for the disk.
struct Store: Sendable {
    /// Why a decision could not be written.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private enum Backing {
        case open(DatabaseQueue, RowChecksum)
        /// The file could not be opened. Nothing can be granted; the daemon runs and says so.
        case unavailable(reason: String)
    }

    private let backing: Backing
    /// One thread that waits for the disk, so that writes keep their order. Not Dispatch's: see `Daemon`.
    private let thread = NIOThreadPool(numberOfThreads: 1)

    /// What happened to the database at the start, for the log.
    let notices: [String]

    /// The file of the database.
    let path: String

    /// Opens the database, making it where there is none.
    ///
    /// A file that is damaged is set aside under a name of its own, never deleted, and a new one takes its place: the
    /// apps that it named have to be granted again. `timestamp` is part of the name that it is set aside under. A file that
    /// cannot be used for another reason is left alone.
    ///
    /// - Parameters:
    ///   - secret: The machine's, which the rows' checksums are made with. Where it cannot be read, nothing is granted
    ///     and nothing written.
    ///   - busyTimeout: How long another process that has locked the file is waited for, in seconds.
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
            // SQLite takes it for a new one.
            let isEmpty = size(path) == 0
            let queue = try openSound(path, checksum, busyTimeout: busyTimeout)
            let backing = Backing.open(queue, checksum)
            if isEmpty {
                return (backing, ["the database \(path) was empty: every app has to be granted again"])
            }
            do {
                try checkWritable(queue)
                return (backing, [])
            } catch {
                return (backing, [StoreFault(error).noticeOfReading(path, error)])
            }
        } catch {
            let fault = StoreFault(error)
            guard fault == .damaged else {
                return (.unavailable(reason: "\(error)"), [fault.notice(path, error)])
            }
            do {
                let aside = try setAside(path, suffix: ".damaged-\(timestamp)")
                return (
                    .open(try openSound(path, checksum, busyTimeout: busyTimeout), checksum),
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

    /// Reads, waiting for it; `nil` where the database could not be opened.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        guard case .open(let queue, _) = backing else { return nil }
        return try queue.read(body)
    }

    /// Reads and writes rows with a checksum, waiting for it; `nil` where the database could not be opened.
    func update<Value>(_ body: (DatabaseQueue, RowChecksum) throws -> Value) throws -> Value? {
        guard case .open(let queue, let checksum) = backing else { return nil }
        return try body(queue, checksum)
    }

    /// Reads on the store's thread, after what is to be written before; `body` gets `nil` where the database could not be opened.
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

    /// Runs `change` in a transaction on the store's thread. Succeeds with what it returns once that is on the disk.
    ///
    /// - Parameter erasing: Whether what is deleted must not stay in the journal either, where older pages are kept
    ///   until it is written over. As long as another process reads the database it stays there.
    func write<Value: Sendable>(
        on loop: any EventLoop, erasing: Bool = false, _ change: @escaping @Sendable (Database) throws -> Value
    ) -> EventLoopFuture<Value> {
        write(on: loop, erasing: erasing) { database, _ in try change(database) }
    }

    /// Writes rows with a checksum.
    func write<Value: Sendable>(
        on loop: any EventLoop, erasing: Bool = false,
        _ change: @escaping @Sendable (Database, RowChecksum) throws -> Value
    ) -> EventLoopFuture<Value> {
        switch backing {
        case .unavailable(let reason):
            return loop.makeFailedFuture(Failure(description: "the database cannot be opened: \(reason)"))
        case .open(let queue, let checksum):
            return thread.runIfActive(eventLoop: loop) {
                let value: Value
                do {
                    value = try queue.write { try change($0, checksum) }
                } catch {
                    throw Failure(description: "\(error)")
                }
                if erasing { _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
                return value
            }
        }
    }
}
