internal import Logging
internal import NIOCore
internal import StateFiles

/// Keeps the remembered places, and the emitters that move, on the disk.
///
/// Attack: a thief gets a copy of the folder without the secret, and learns where the machine was. So the files are
/// encrypted with it, and overwritten before they are removed. Confined to the event loop.
struct PlaceFiles {
    /// The contents of a file.
    enum Content: String {
        case places
        case mobileEmitters
    }

    /// The number of files: one of each content, and what a power cut has left of writing it.
    private static let capacity = 4
    private static let notKept = "places and moving networks are remembered only while the daemon runs"
    private static let notErased = "what was remembered of places cannot be erased"

    private let store: SealedStore

    /// - Parameters:
    ///   - folder: The folder of the daemon's state.
    ///   - secret: The machine's secret, or `nil` to keep nothing.
    ///   - maximumLength: The greatest length of a content, in bytes.
    init(in folder: String, secret: [UInt8]?, maximumLength: Int, on loop: any EventLoop, log: Logger) {
        let files = secret.map {
            SealedFiles(
                in: folder, secret: $0, purpose: "surroundings", capacity: Self.capacity, maximumLength: maximumLength)
        }
        store = SealedStore(files, on: loop, log: log)
    }

    /// Reads a content. `handle` gets `nil` if there is none.
    func load(_ content: Content, _ handle: @escaping ([UInt8]?) -> Void) {
        store.load(of: content.rawValue, orLog: Self.notKept, handle)
    }

    /// Writes a content, in the place of an older one. Succeeds once it is on the disk.
    func write(_ bytes: [UInt8], as content: Content) -> EventLoopFuture<Void> {
        store.write(bytes, of: content.rawValue, orLog: Self.notKept)
    }

    /// Erases a content, or all. Succeeds once it is off the disk.
    func erase(_ content: Content? = nil) -> EventLoopFuture<Void> {
        guard let content else { return store.eraseAll(orLog: Self.notErased) }
        return store.erase(of: content.rawValue, orLog: Self.notErased)
    }

    /// Succeeds once all earlier work is done.
    func flush() -> EventLoopFuture<Void> { store.flush() }
}
