import Glibc

/// A regular file that is read block by block. Closed when it goes out of being.
struct InputFile: ~Copyable {
    private let path: String
    private let descriptor: CInt

    /// Opens it, to be read from `offset` on.
    init(path: String, at offset: Int64 = 0) throws(ReceiverFailure) {
        self.path = path
        // Without O_NONBLOCK the opening of a FIFO would wait for a writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason: ReceiverFailure.Reason =
                switch errno {
                case ENOENT: .missing
                case EACCES: .notPermitted
                default: .unusable
                }
            throw ReceiverFailure(reason, "cannot open \(path): \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ReceiverFailure(.unusable, "\(path) is no file")
        }
        if offset > 0 { lseek(descriptor, off_t(offset), SEEK_SET) }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Fills `block` with the file's next bytes. Returns how many there were; 0 at its end.
    func read(into block: inout [UInt8]) throws(ReceiverFailure) -> Int {
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw ReceiverFailure(.unusable, "cannot read \(path): \(String(cString: strerror(errno)))")
            }
        }
    }
}
