package import LocationModel
package import Logging
package import NIOCore
internal import NIOPosix
package import ReceiverSettings
internal import StateFiles

/// Keeps receivers' navigation databases on the disk, for their next start.
///
/// Attack: a thief gets the disk, and learns from the databases where the machine was and when. So they are encrypted
/// with the machine's secret, erased when a user clears their places, and not kept for longer than they are of use.
///
/// Attack: a false signal reaches a receiver, which gets the orbits back from its database. They hold no longer than
/// that, and reach no other receiver.
///
/// Confined to the event loop. The disk is used on a thread of its own, which starts with the first database.
public final class NavigationDatabases {
    /// The greatest number of receivers.
    package static let capacity = 8
    /// The time that a database is kept, in seconds. Orbits of GPS hold for four hours (IS-GPS-200, 20.3.4.4), and the
    /// rest of a database saves little.
    package static let maximumAge = 4 * 3600

    private let files: SealedFiles?
    private let loop: any EventLoop
    private let clock: () -> Timestamp
    private let log: Logger
    private lazy var thread = {
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        return thread
    }()
    private var hasFiles: Bool
    private var reported: Set<String> = []

    /// - Parameters:
    ///   - folder: The folder of the daemon's state.
    ///   - secret: The machine's secret, or `nil` to keep nothing.
    package init(
        in folder: String, secret: [UInt8]?, on loop: any EventLoop, clock: @escaping () -> Timestamp, log: Logger
    ) {
        files = secret.map {
            SealedFiles(
                in: folder, secret: $0, purpose: "navigation-database", capacity: Self.capacity,
                maximumLength: DatabaseTransfer.maximumLength)
        }
        (self.loop, self.clock, self.log) = (loop, clock, log)
        hasFiles = files?.isEmpty == false
    }

    /// Reads the database of the receiver with this identity. `handle` gets `nil` if there is none that is recent.
    func load(of owner: String, _ handle: @escaping ([UInt8]?) -> Void) {
        guard hasFiles else { return handle(nil) }
        run { try $0.read(of: owner) }?.whenComplete { result in
            if case .failure(let error) = result { self.report("a receiver starts without its database", error) }
            handle((try? result.get()).flatMap(\.self))
        }
    }

    /// Keeps the database of the receiver with this identity, in the place of an older one.
    func keep(_ database: [UInt8], of owner: String) {
        hasFiles = files != nil
        run { try $0.write(database, of: owner) }?.whenFailure { self.report("a receiver's database is not kept", $0) }
    }

    /// Erases all databases if no receiver has a profile with one any more.
    package func follow(_ profiles: [ReceiverProfile?]) {
        if !profiles.contains(where: { $0?.assistance.contains(.database) == true }) { _ = forget() }
    }

    /// Erases all databases. Succeeds once they are off the disk.
    package func forget() -> EventLoopFuture<Void> {
        guard hasFiles else { return loop.makeSucceededVoidFuture() }
        hasFiles = false
        return run { try $0.removeAll() }?.nonisolated() ?? loop.makeSucceededVoidFuture()
    }

    /// Works on the files once those that are too old, or newer than the clock, are removed.
    private func run<Value: Sendable>(
        _ work: @escaping @Sendable (SealedFiles) throws -> Value
    ) -> EventLoopFuture<Value>.Isolated? {
        guard let files else { return nil }
        let now = Int(clock().millisecondsSince1970 / 1000)
        return thread.runIfActive(eventLoop: loop) {
            try? files.removeAll(except: now - Self.maximumAge...now + 1)
            return try work(files)
        }.assumeIsolated()
    }

    /// Logs each problem once.
    private func report(_ what: String, _ error: any Error) {
        if reported.insert("\(error)").inserted { log.warning("\(what): \(error)") }
    }
}
