internal import Glibc
package import Linux

/// Watches a descriptor: reads it and reports that there was something to read, regardless of the content. So a lost
/// message does no harm once the next one arrives.
///
/// Confined to the event loop.
package final class DescriptorWatch {
    private let capacity: Int
    private let descriptor: CInt
    private let onRead: () -> Void
    private let onFailure: () -> Void
    private var watch: DescriptorPoller.Watch?

    /// The maximum number of reads for one report. A burst of messages is reported once.
    private static let readsAtOnce = 4

    /// Watches a non-blocking descriptor. Its owner keeps it, and keeps it open until ``stop()``.
    ///
    /// - Parameters:
    ///   - capacity: The number of bytes per read.
    ///   - onRead: Called on the loop after something was read.
    ///   - onFailure: Called on the loop when watching ends without a call of `stop()`.
    package init(
        _ descriptor: CInt, capacity: Int, poller: DescriptorPoller, onRead: @escaping () -> Void,
        onFailure: @escaping () -> Void
    ) throws(SystemCallError) {
        self.capacity = capacity
        self.descriptor = descriptor
        self.onRead = onRead
        self.onFailure = onFailure
        let watch = poller.watch(descriptor) { [unowned self] _ in receive() }
        self.watch = watch
        try watch.wait(for: .readable)
    }

    deinit { watch?.end() }

    /// Stops watching. Neither handler is called afterwards.
    package func stop() {
        watch?.end()
        watch = nil
    }

    private func receive() {
        var hasRead = false
        do throws(SystemCallError) {
            for _ in 0..<Self.readsAtOnce {
                let count = withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 8) {
                    read(descriptor, $0.baseAddress, $0.count)
                }
                if count < 0, [EAGAIN, EINTR].contains(errno) { break }
                guard count > 0 else { throw SystemCallError("read", errno) }
                hasRead = true
            }
            try watch?.wait(for: .readable)
            if hasRead { onRead() }
        } catch {
            stop()
            onFailure()
        }
    }
}
