import Glibc

/// A regular file that is read block by block. Closed on deinit.
struct InputFile: ~Copyable {
    private let path: String
    private let descriptor: CInt
    /// The size of the file in bytes when it was opened.
    let size: Int64

    private init(path: String, descriptor: CInt, size: Int64) {
        self.path = path
        self.descriptor = descriptor
        self.size = size
    }

    /// Opens the file for reading from `offset`.
    ///
    /// A static function, because an initializer that throws between opening and setting the last property would leave
    /// the descriptor open: `deinit` does not run without a complete value.
    static func open(_ path: String, at offset: Int64 = 0) throws(ReceiverFailure) -> InputFile {
        // Without O_NONBLOCK, opening a FIFO would wait for a writer.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
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
            _ = close(descriptor)
            throw ReceiverFailure(.unusable, "\(path) is not a regular file")
        }
        if offset > 0 { lseek(descriptor, off_t(offset), SEEK_SET) }
        return InputFile(path: path, descriptor: descriptor, size: Int64(status.st_size))
    }

    deinit { _ = close(descriptor) }

    /// Fills `block` with the next bytes of the file. Returns the number of bytes read, 0 at the end of the file.
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
