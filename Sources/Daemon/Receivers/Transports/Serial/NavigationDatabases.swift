package import LocationModel
package import Logging
package import NIOCore
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
/// Confined to the event loop.
public final class NavigationDatabases {
    /// The greatest number of receivers.
    package static let capacity = 8
    /// The time that a database is kept, in seconds. Orbits of GPS hold for four hours (IS-GPS-200, 20.3.4.4), and the
    /// rest of a database saves little.
    package static let maximumAge = 4 * 3600

    private let store: SealedStore

    /// - Parameters:
    ///   - folder: The folder of the daemon's state.
    ///   - secret: The machine's secret, or `nil` to keep nothing.
    package init(
        in folder: String, secret: [UInt8]?, on loop: any EventLoop, clock: @escaping () -> Timestamp, log: Logger
    ) {
        let files = secret.map {
            SealedFiles(
                in: folder, secret: $0, purpose: "navigation-database", capacity: Self.capacity,
                maximumLength: DatabaseTransfer.maximumLength)
        }
        store = SealedStore(files, on: loop, log: log) {
            let now = Int(clock().millisecondsSince1970 / 1000)
            // None that is newer than the clock: its age is not known.
            return now - Self.maximumAge...now + 1
        }
    }

    /// Reads the database of the receiver with this identity. `handle` gets `nil` if there is none that is recent.
    func load(of owner: String, _ handle: @escaping ([UInt8]?) -> Void) {
        store.load(of: owner, orLog: "a receiver starts without its database", handle)
    }

    /// Keeps the database of the receiver with this identity, in the place of an older one.
    func keep(_ database: [UInt8], of owner: String) {
        _ = store.write(database, of: owner, orLog: "a receiver's database is not kept")
    }

    /// Erases all databases if no receiver has a profile with one any more.
    package func follow(_ profiles: [ReceiverProfile?]) {
        if !profiles.contains(where: { $0?.assistance.contains(.database) == true }) { _ = forget() }
    }

    /// Erases all databases. Succeeds once they are off the disk.
    package func forget() -> EventLoopFuture<Void> {
        store.eraseAll(orLog: "the databases of receivers cannot be erased")
    }
}
