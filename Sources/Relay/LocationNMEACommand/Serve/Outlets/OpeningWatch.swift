internal import EventLoopSupport
internal import Glibc
internal import Linux

/// Watches a file for being opened, without polling: inotify(7).
final class OpeningWatch {
    /// The size of the buffer. Events of a file have no name, so many fit.
    private static let capacity = 4096

    private let descriptor: CInt
    private var watch: DescriptorWatch?

    /// - Parameter onOpening: Called on the loop after the file was opened, perhaps once for several openings.
    init(_ path: String, poller: DescriptorPoller, onOpening: @escaping () -> Void) throws(OutletFailure) {
        descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        guard descriptor >= 0 else { throw OutletFailure("inotify", errno) }
        guard inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0 else {
            throw OutletFailure("\(path) cannot be watched", errno)
        }
        do throws(SystemCallError) {
            watch = try DescriptorWatch(
                descriptor, capacity: Self.capacity, poller: poller, onRead: onOpening, onFailure: {})
        } catch {
            throw OutletFailure("\(path) cannot be watched", error.errno)
        }
    }

    deinit {
        watch?.stop()
        Glibc.close(descriptor)
    }
}
