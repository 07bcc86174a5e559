internal import Glibc

/// How far a long file is, on a terminal: one line that is drawn over.
struct ProgressBar {
    /// Files below this size are done before a user could read it.
    private static let leastBytes: Int64 = 32 << 20
    private static let width = 40

    private let total: Int64
    private let isShown: Bool
    private var done: Int64 = 0
    private var shownPercent: Int64 = -1

    /// A bar for a file of that many bytes; nothing is drawn for a short one, or where standard error is no terminal.
    init(totalBytes: Int64?) {
        total = totalBytes ?? 0
        isShown = total >= Self.leastBytes && isatty(STDERR_FILENO) == 1
    }

    /// So many more bytes are done.
    mutating func advance(by bytes: Int) {
        guard isShown else { return }
        done += Int64(bytes)
        let percent = min(100, done * 100 / total)
        guard percent != shownPercent else { return }
        shownPercent = percent
        let filled = Int(percent) * Self.width / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        Terminal.writeError("\r[\(bar)] \(percent) %")
    }

    /// Clears the line.
    func end() {
        if isShown { Terminal.writeError("\r" + String(repeating: " ", count: Self.width + 8) + "\r") }
    }
}
