internal import Glibc
internal import LocationctlSupport
internal import NIOCore

/// A file, or standard input, that is read in chunks, in constant memory.
final class ChunkedInput {
    private let path: String
    private let descriptor: Int32
    private var buffer = ByteBufferAllocator().buffer(capacity: 1 << 16)

    /// Opens the file at `path`; `-` is standard input.
    init(path: String) throws(Failure) {
        self.path = path
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Failure(.failed, "cannot open \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// The file's size in bytes, or `nil` for a pipe or a device.
    var size: Int64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Returns the next chunk, or `nil` at the end.
    func next() throws(Failure) -> ByteBuffer? {
        buffer.clear()
        var count = 0
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 1 << 16) { bytes in
            repeat { count = read(descriptor, bytes.baseAddress, bytes.count) } while count < 0 && errno == EINTR
            return max(0, count)
        }
        guard count >= 0 else { throw Failure(.failed, "cannot read \(path): \(String(cString: strerror(errno)))") }
        return count == 0 ? nil : buffer
    }
}
