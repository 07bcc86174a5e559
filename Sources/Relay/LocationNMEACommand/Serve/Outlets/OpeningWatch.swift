internal import EventLoopSupport
internal import Glibc
internal import Linux

/// Reports that a file was opened, without polling: inotify(7).
final class OpeningWatch {
    /// The size of the buffer. An event of a file has no name, so this has room for many.
    private static let capacity = 4096

    private let descriptor: CInt
    private var watch: DescriptorWatch?

    /// - Parameter onOpening: Called on the loop after the file at the path was opened, once or several times.
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
