internal import CLinux
internal import Glibc
internal import NIOCore

/// A file for a reader to open: a pseudo-terminal or a FIFO, made by this program. It is removed when this object is
/// released; its readers then read end of file.
protocol ServedFile: AnyObject {
    /// The nonblocking descriptor that sentences are written to.
    var descriptor: CInt { get }
    /// The path of the file itself, not of a link to it, to watch for openings.
    var watchedPath: String { get }
    /// Gives it to its owner. To be called once it is watched: inotify(7) requires read permission, which only the
    /// owner has after that.
    func publish() throws(OutletFailure)
    /// Drops unread bytes, so that no later reader gets them. Returns whether all of them are gone.
    func discardUnread() -> Bool
    /// A Boolean value indicating whether the next reader finds it in its initial state. Read while there is no reader.
    var isPristine: Bool { get }
}

extension ServedFile {
    /// A Boolean value indicating whether a program has the file open for reading.
    var hasReaders: Bool {
        // poll(2): POLLHUP of a terminal whose other side is closed, POLLERR of a FIFO without readers.
        var events = pollfd(fd: descriptor, events: 0, revents: 0)
        return Glibc.poll(&events, 1, 0) == 0
    }
}

/// Writes whole sentences to a nonblocking descriptor, as far as its reader keeps up.
struct SentencePipe {
    /// The rest of the last sentences. The next ones wait for it, so that no sentence is cut in the middle.
    private var rest = ByteBuffer()

    /// Writes sentences, or drops them if the reader has not read the previous ones.
    mutating func write(_ sentences: ByteBuffer, to descriptor: CInt) {
        drain(to: descriptor)
        guard rest.readableBytes == 0 else { return }
        rest = sentences
        drain(to: descriptor)
        // Nothing was written, so nothing is cut; the next sentences will be newer.
        if rest.readableBytes == sentences.readableBytes { rest.clear() }
    }

    private mutating func drain(to descriptor: CInt) {
        while rest.readableBytes > 0 {
            let count = rest.withUnsafeReadableBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest.moveReaderIndex(forwardBy: count)
        }
    }
}

/// Gives a newly made file to a user: chown(2) through its descriptor, so that it cannot affect another file at its
/// path.
func give(_ descriptor: CInt, to owner: uid_t) throws(OutletFailure) {
    // Unlike fchown(2), this path works for O_PATH descriptors too: open(2).
    guard owner != geteuid(), chown("/proc/self/fd/\(descriptor)", owner, gid_t.max) != 0 else { return }
    let reason = errno == EPERM ? "this needs CAP_CHOWN, as the unit has it" : String(cString: strerror(errno))
    throw OutletFailure(description: "it cannot be given to the user \(owner): \(reason)")
}
