internal import ForeignText
internal import Glibc

/// What is written for people.
enum Terminal {
    /// A Boolean value indicating whether a user sees the output.
    static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes to standard error.
    static func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Writes to standard output at once.
    static func writeOutput(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// `text` without what would steer a terminal: names come from apps, and an app may call itself what it likes.
    static func printable(_ text: String) -> String { ForeignText.line(text) }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno != EINTR, errno != EAGAIN { return }
            rest = rest.dropFirst(max(0, written))
        }
    }
}
