internal import CLinux
internal import Glibc
internal import NIOCore

/// A file that a reader opens: a pseudo-terminal or a FIFO, made by this program. It is removed when this object is
/// released, and its readers then read the end.
protocol ServedFile: AnyObject {
    /// The descriptor to which sentences are written. It is not blocking.
    var descriptor: CInt { get }
    /// The path of the file itself, not of a link to it, to watch for openings.
    var watchedPath: String { get }
    /// Lets its owner have it. To be called when it is watched: inotify(7) asks for the right to read it, which its
    /// owner alone has afterwards.
    func publish() throws(OutletFailure)
    /// Drops what readers have left unread, so that nobody gets it later. Returns whether all of it is gone.
    func discardUnread() -> Bool
    /// A Boolean value indicating whether the next reader finds it as a new one. Read while there is no reader.
    var isAsNew: Bool { get }
}

extension ServedFile {
    /// A Boolean value indicating whether anybody has the file open for reading.
    var hasReaders: Bool {
        // poll(2): POLLHUP of a terminal whose other side is closed, POLLERR of a FIFO without readers.
        var events = pollfd(fd: descriptor, events: 0, revents: 0)
        return Glibc.poll(&events, 1, 0) == 0
    }
}

/// What is written to a descriptor that is not blocking: whole sentences, as far as its reader keeps up.
struct SentencePipe {
    /// The rest of the sentences that were written last. The next ones wait for it: a sentence is not cut in the
    /// middle.
    private var rest = ByteBuffer()

    /// Writes sentences, or drops them if the reader has not read those before.
    mutating func write(_ sentences: ByteBuffer, to descriptor: CInt) {
        drain(to: descriptor)
        guard rest.readableBytes == 0 else { return }
        rest = sentences
        drain(to: descriptor)
        // None of it was taken, so nothing is cut. What comes next is newer.
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

/// Gives a file that this program has just made to a user: chown(2) by its descriptor, so that no other file at its
/// path can be meant.
func give(_ descriptor: CInt, to owner: uid_t) throws(OutletFailure) {
    // The path works for a descriptor that was opened with O_PATH too: open(2).
    guard owner != geteuid(), chown("/proc/self/fd/\(descriptor)", owner, gid_t.max) != 0 else { return }
    let reason = errno == EPERM ? "this needs CAP_CHOWN, as the unit has it" : String(cString: strerror(errno))
    throw OutletFailure(description: "it cannot be given to the user \(owner): \(reason)")
}
