internal import ForeignText
internal import Glibc

/// Output for users.
package enum Terminal {
    /// A Boolean value indicating whether standard output is a terminal.
    package static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes lines to standard error, without control characters. A failure is ignored: there is nowhere to report it.
    package static func writeError(_ text: String) { writeErrorVerbatim(ForeignText.lines(text)) }

    /// Writes to standard error, including terminal controls.
    static func writeErrorVerbatim(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// Writes to standard output, without a buffer. Throws on failure, such as a full disk.
    package static func writeOutput(_ text: String) throws(Failure) { try writeOutput(Array(text.utf8)) }

    /// Writes to standard output, without a buffer. If the reader has closed the pipe, SIGPIPE ends the program.
    static func writeOutput(_ bytes: [UInt8]) throws(Failure) {
        guard let errno = write(bytes, to: STDOUT_FILENO) else { return }
        throw Failure(.failed, "cannot write to standard output: \(String(cString: strerror(errno)))")
    }

    /// Returns `text` without control characters: names come from apps, and an app may choose any name.
    package static func printable(_ text: String) -> String { ForeignText.line(text) }

    /// Writes all of `bytes`. Returns the errno of a failure, or `nil`.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written)
            }
            guard count < 0 else {
                written += count
                continue
            }
            switch errno {
            case EINTR: break
            case EAGAIN:
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
            case let failure: return failure
            }
        }
        return nil
    }
}
