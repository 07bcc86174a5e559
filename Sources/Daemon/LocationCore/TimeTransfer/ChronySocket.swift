internal import CLinux
internal import Glibc
internal import Logging
internal import TimeTransfer

/// Sends samples to a socket of chronyd, which may come and go.
///
/// Each sample is a datagram to the socket's path, so nothing has to be opened again when chronyd was restarted. A
/// sample that cannot be sent is lost: the next one is better. The log has one line when sending begins to fail, and
/// one when it works. Confined to the event loop.
final class ChronySocket {
    /// The path of the socket.
    let path: String
    private let descriptor: CInt
    private let log: Logger
    /// The errno of the last attempt, 0 if it succeeded, or `nil` before the first one.
    private var lastResult: CInt?
    /// The number of samples that were sent.
    private(set) var count = 0

    /// The reason why the last sample could not be sent, for users, or `nil` if it was sent or there was none.
    var failure: String? { lastResult.flatMap { $0 == 0 ? nil : Self.explanation(of: $0, path: path) } }

    /// Creates a sender to the socket at `path`, which need not exist yet.
    init(path: String, log: Logger) {
        self.path = path
        self.log = log
        descriptor = time_socket_open()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sends a sample, or loses it.
    func send(_ sample: TimeSample) {
        report(
            descriptor < 0
                ? -descriptor : time_sample_send(descriptor, path, sample.wallClock, sample.offset))
    }

    private func report(_ result: CInt) {
        if result == 0 { count += 1 }
        guard result != lastResult else { return }
        let wasFailing = lastResult.map { $0 != 0 } ?? false
        lastResult = result
        if result == 0 { return log.notice("time samples are sent to \(path)") }
        // One line for each time that it fails, however the reason changes.
        if !wasFailing { log.warning("\(Self.explanation(of: result, path: path))") }
    }

    private static func explanation(of error: CInt, path: String) -> String {
        switch error {
        case ENOENT, ECONNREFUSED:
            "chronyd does not listen at \(path): is it running, with \"refclock SOCK \(path)\" in its configuration?"
        case EACCES, EPERM:
            "chronyd's socket \(path) is closed to this daemon's user: see \"Time for chrony\" in administrators.md"
        case EAGAIN: "chronyd does not read from \(path)"
        default: "cannot send time samples to \(path): \(String(cString: strerror(error)))"
        }
    }
}
