internal import Glibc

/// The progress through a long file, on one line of the terminal that is redrawn.
package struct ProgressBar {
    /// The smallest file with a bar, in bytes. A smaller file is done before a user could read the bar.
    private static let leastBytes: Int64 = 32 << 20
    private static let width = 40

    private let total: Int64
    private var isShown: Bool
    private var done: Int64 = 0
    private var shownPercent: Int64 = -1

    /// Creates a bar for a file. Nothing is drawn for a short file, or if standard error is not a terminal.
    ///
    /// - Parameter printsOutput: `true` if the program also writes to standard output. If that is a terminal too, the
    ///   lines show the progress, and a bar would run into them.
    package init(totalBytes: Int64?, printsOutput: Bool) {
        total = totalBytes ?? 0
        isShown =
            total >= Self.leastBytes && isatty(STDERR_FILENO) == 1 && !(printsOutput && Terminal.isOutputTerminal)
    }

    /// Advances the bar by a number of bytes.
    package mutating func advance(by bytes: Int) {
        guard isShown else { return }
        done += Int64(bytes)
        let percent = min(100, done * 100 / total)
        guard percent != shownPercent else { return }
        shownPercent = percent
        Terminal.writeErrorVerbatim("\r" + Self.line(percent: Int(percent)))
    }

    /// Returns the line for a percentage, 0...100.
    static func line(percent: Int) -> String {
        let filled = percent * width / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        return "[\(bar)] \(percent) %"
    }

    /// Clears the line. Nothing is drawn afterwards.
    package mutating func end() {
        guard isShown else { return }
        isShown = false
        Terminal.writeErrorVerbatim("\r" + String(repeating: " ", count: Self.width + 8) + "\r")
    }
}
