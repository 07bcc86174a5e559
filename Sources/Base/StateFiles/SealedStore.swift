package import Logging
package import NIOCore
internal import NIOPosix

/// Sealed files that are used from an event loop: the disk is waited for on a thread of its own, which starts with the
/// first file. Confined to the event loop.
package final class SealedStore {
    private let files: SealedFiles?
    private let loop: any EventLoop
    private let log: Logger
    private let keptTimes: () -> ClosedRange<Int>?
    private lazy var thread = {
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        return thread
    }()
    private var hasFiles: Bool
    private var isUsed = false
    private var reported: Set<String> = []

    /// - Parameters:
    ///   - files: The files, or `nil` to keep nothing.
    ///   - keptTimes: Returns the times of the files that are still of use, in seconds since 1970, or `nil` if all are.
    ///     The others are removed before the files are used.
    package init(
        _ files: SealedFiles?, on loop: any EventLoop, log: Logger,
        keptTimes: @escaping () -> ClosedRange<Int>? = { nil }
    ) {
        (self.files, self.loop, self.log, self.keptTimes) = (files, loop, log, keptTimes)
        hasFiles = files?.isEmpty == false
    }

    /// Reads the owner's file. `handle` gets `nil` if there is none; it is called at once if there are no files at all.
    ///
    /// - Parameter problem: The words about a failure for the log, before its reason.
    package func load(of owner: String, orLog problem: String, _ handle: @escaping ([UInt8]?) -> Void) {
        guard hasFiles else { return handle(nil) }
        run(orLog: problem) { try $0.read(of: owner) }.assumeIsolated().whenComplete { result in
            handle((try? result.get()).flatMap(\.self))
        }
    }

    /// Writes the owner's file, in the place of an older one. Succeeds once it is on the disk.
    package func write(_ content: [UInt8], of owner: String, orLog problem: String) -> EventLoopFuture<Void> {
        hasFiles = files != nil
        return run(orLog: problem) { try $0.write(content, of: owner) }.map { _ in }
    }

    /// Erases the owner's file. Succeeds once it is off the disk.
    package func erase(of owner: String, orLog problem: String) -> EventLoopFuture<Void> {
        guard hasFiles else { return loop.makeSucceededVoidFuture() }
        return run(orLog: problem) { try $0.remove(of: owner) }.map { _ in }
    }

    /// Erases all files. Succeeds once they are off the disk.
    package func eraseAll(orLog problem: String) -> EventLoopFuture<Void> {
        guard hasFiles else { return loop.makeSucceededVoidFuture() }
        hasFiles = false
        return run(orLog: problem) { try $0.removeAll() }.map { _ in }
    }

    /// Succeeds once all earlier work is done.
    package func flush() -> EventLoopFuture<Void> {
        isUsed ? thread.runIfActive(eventLoop: loop) {} : loop.makeSucceededVoidFuture()
    }

    /// Works on the files. If there are none to work on, the result is `nil`. Logs each failure once.
    private func run<Value: Sendable>(
        orLog problem: String, _ work: @escaping @Sendable (SealedFiles) throws -> Value
    ) -> EventLoopFuture<Value?> {
        guard let files else { return loop.makeSucceededFuture(nil) }
        isUsed = true
        let keptTimes = keptTimes()
        let result: EventLoopFuture<Value?> = thread.runIfActive(eventLoop: loop) {
            if let keptTimes { try? files.removeAll(except: keptTimes) }
            return try work(files)
        }
        result.assumeIsolated().whenFailure { error in
            if self.reported.insert("\(error)").inserted { self.log.warning("\(problem): \(error)") }
        }
        return result
    }
}
