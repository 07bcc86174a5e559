internal import CLinux
internal import Glibc

/// A pseudo-terminal in raw mode, for a program that expects a serial port, and a link to it: pty(7).
///
/// Each instance is a new terminal. A program with the previous one open, as its former owner, reads end of file.
final class TerminalFile: ServedFile {
    let descriptor: CInt
    let watchedPath: String
    private let link: String
    private let owner: uid_t?

    /// Makes the terminal, at first accessible only to the user of this process.
    ///
    /// - Parameters:
    ///   - link: The path of the link. An existing link is replaced; any other file is not.
    ///   - owner: The user who may open it once it is published, or `nil` for the user of this process.
    init(link: String, owner: uid_t?) throws(OutletFailure) {
        (self.link, self.owner) = (link, owner)
        var name = [CChar](repeating: 0, count: Int(TTY_PATH_SIZE))
        descriptor = pty_open(&name)
        guard descriptor >= 0 else {
            throw OutletFailure("no pseudo-terminal", -descriptor)
        }
        watchedPath = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // Only after it has been opened and closed does poll(2) report that it has no reader.
        Glibc.close(try Self.open(watchedPath))
    }

    deinit {
        // Another instance may have replaced the link.
        if Self.target(of: link) == watchedPath { unlink(link) }
        Glibc.close(descriptor)
    }

    /// Gives the terminal to its owner, and makes the link.
    func publish() throws(OutletFailure) {
        if let owner {
            let terminal = try Self.open(watchedPath)
            defer { Glibc.close(terminal) }
            try give(terminal, to: owner)
        }
        try Self.makeLink(link, to: watchedPath)
    }

    /// Opens the terminal as a reader does, and makes it accessible only to its user.
    private static func open(_ path: String) throws(OutletFailure) -> CInt {
        let terminal = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard terminal >= 0 else { throw OutletFailure("\(path) cannot be opened", errno) }
        guard fchmod(terminal, 0o600) == 0 else {
            let reason = errno
            Glibc.close(terminal)
            throw OutletFailure("the mode of \(path)", reason)
        }
        return terminal
    }

    /// Makes the link atomically, so that a program never finds a partial one.
    private static func makeLink(_ link: String, to path: String) throws(OutletFailure) {
        var existing = stat()
        if lstat(link, &existing) == 0, existing.st_mode & S_IFMT != S_IFLNK {
            throw OutletFailure(description: "\(link) is not a link: another program has made it")
        }
        let temporary = "\(link).\(getpid())"
        unlink(temporary)
        guard symlink(path, temporary) == 0, rename(temporary, link) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(temporary)
            throw OutletFailure(description: "\(link) cannot be made: \(reason)")
        }
    }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(TTY_PATH_SIZE))
        let count = readlink(link, &bytes, bytes.count)
        return count < 0
            ? nil : String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Flushes both directions: unread output, and input from the reader.
    func discardUnread() -> Bool { pty_discard(descriptor) == 0 }

    /// Attack: a reader, or a killed gpsd, leaves the terminal in exclusive use, which pty(7) retains. Other programs
    /// of its owner could not open it.
    var isPristine: Bool { pty_is_pristine(descriptor) != 0 }
}
