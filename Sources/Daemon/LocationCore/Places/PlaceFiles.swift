internal import Logging
internal import NIOCore
internal import NIOPosix
internal import StateFiles

/// Keeps the remembered places, and the emitters that move, on the disk.
///
/// Attack: a thief gets a copy of the folder without the secret, and learns where the machine was. So the files are
/// encrypted with it, and overwritten before they are removed. Confined to the event loop. The disk is used on a thread
/// of its own, which starts with the first file.
final class PlaceFiles {
    /// The contents of a file.
    enum Content: String {
        case places
        case mobileEmitters
    }

    /// The number of files: one of each content, and what a power cut has left of writing it.
    private static let capacity = 4

    private let files: SealedFiles?
    private let loop: any EventLoop
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
    ///   - maximumLength: The greatest length of a content, in bytes.
    init(in folder: String, secret: [UInt8]?, maximumLength: Int, on loop: any EventLoop, log: Logger) {
        files = secret.map {
            SealedFiles(
                in: folder, secret: $0, purpose: "surroundings", capacity: PlaceFiles.capacity,
                maximumLength: maximumLength)
        }
        (self.loop, self.log) = (loop, log)
        hasFiles = files?.isEmpty == false
    }

    /// Reads a content. `handle` gets `nil` if there is none.
    func load(_ content: Content, _ handle: @escaping ([UInt8]?) -> Void) {
        guard hasFiles else { return handle(nil) }
        run { try $0.read(of: content.rawValue) }.assumeIsolated().whenComplete { result in
            if case .failure(let error) = result { self.report(error) }
            handle((try? result.get()).flatMap(\.self))
        }
    }

    /// Writes a content, in the place of an older one. Succeeds once it is on the disk.
    func write(_ bytes: [UInt8], as content: Content) -> EventLoopFuture<Void> {
        hasFiles = files != nil
        let written = run { try $0.write(bytes, of: content.rawValue) }
        written.assumeIsolated().whenFailure { self.report($0) }
        return written.map { _ in }
    }

    /// Erases a content, or all. Succeeds once it is off the disk.
    func erase(_ content: Content? = nil) -> EventLoopFuture<Void> {
        guard hasFiles else { return loop.makeSucceededVoidFuture() }
        let erased = run { files in
            if let content { try files.remove(of: content.rawValue) } else { try files.removeAll() }
        }
        erased.assumeIsolated().whenFailure { self.report($0, "what was remembered of places cannot be erased") }
        return erased.map { _ in }
    }

    /// Succeeds once all earlier work is done.
    func flush() -> EventLoopFuture<Void> { hasFiles ? run { _ in }.map { _ in } : loop.makeSucceededVoidFuture() }

    /// Works on the files. Without a secret, there are none, and the result is `nil`.
    private func run<Value: Sendable>(
        _ work: @escaping @Sendable (SealedFiles) throws -> Value
    ) -> EventLoopFuture<Value?> {
        guard let files else { return loop.makeSucceededFuture(nil) }
        return thread.runIfActive(eventLoop: loop) { try work(files) }
    }

    /// Logs each problem once.
    private func report(
        _ error: any Error, _ problem: String = "places and moving networks are remembered only while the daemon runs"
    ) {
        guard reported.insert("\(error)").inserted else { return }
        log.warning("\(problem): \(error)")
    }
}
