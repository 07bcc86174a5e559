internal import CLinux
internal import Glibc

/// A pseudo-terminal, for a program that wants a serial port, and a link to it: a pty(7) in raw mode.
///
/// Each one is a new terminal: a program that has the former one open, as the user who owned it then, reads its end.
final class TerminalFile: ServedFile {
    let descriptor: CInt
    let watchedPath: String
    private let link: String
    private let owner: uid_t?

    /// Makes the terminal, which only the user of this process may open yet.
    ///
    /// - Parameters:
    ///   - link: The path of the link. One that is there is replaced; anything else is not.
    ///   - owner: The user who may open it once it is published, or `nil` for the user of this process.
    init(link: String, owner: uid_t?) throws(OutletFailure) {
        (self.link, self.owner) = (link, owner)
        var name = [CChar](repeating: 0, count: Int(TTY_PATH_SIZE))
        descriptor = pty_open(&name)
        guard descriptor >= 0 else {
            throw OutletFailure("no pseudo-terminal", -descriptor)
        }
        watchedPath = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // Once it was opened and closed, poll(2) says that it has no reader.
        Glibc.close(try Self.open(watchedPath))
    }

    deinit {
        // Another instance may have replaced it.
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

    /// Opens the terminal as a reader does, and leaves it to its user alone.
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

    /// Makes the link in one step, so that a program never finds a part of it.
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

    /// Flushes both directions: what the reader has not read, and what it has written.
    func discardUnread() -> Bool { pty_discard(descriptor) == 0 }

    /// Attack: a reader, or a gpsd that is killed, leaves the terminal in exclusive use, as pty(7) keeps it. No other
    /// program of its owner could open it any more.
    var isAsNew: Bool { pty_is_as_new(descriptor) != 0 }
}
