internal import ForeignText
internal import Glibc

/// Output for users.
enum Terminal {
    /// A Boolean value indicating whether standard output is a terminal.
    static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes to standard error.
    static func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Writes to standard output, without a buffer.
    static func writeOutput(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Returns `text` without control characters: names come from apps, and an app may choose any name.
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
