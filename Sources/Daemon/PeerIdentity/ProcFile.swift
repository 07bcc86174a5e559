internal import Glibc
internal import Linux

/// Files and links in proc(5).
enum ProcFile {
    /// Returns the contents of a small file, or `nil` if it cannot be read, is larger than 64 KiB, or is not UTF-8.
    static func text(_ path: String) -> String? {
        contents(path).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns the contents of a file, or `nil` if it cannot be read or is larger than `maximumSize` bytes.
    static func contents(_ path: String, maximumSize: Int = 65_536) -> [UInt8]? {
        guard let file = try? open(path) else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        while bytes.count <= maximumSize {
            guard let chunk = try? nextChunk(of: file) else { return nil }
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
        return nil
    }

    private static func open(_ path: String) throws(SystemCallError) -> CInt {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw SystemCallError("open", errno) }
        return file
    }

    private static func nextChunk(of file: CInt) throws(SystemCallError) -> [UInt8] {
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, initialized in
            repeat { count = read(file, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        guard count >= 0 else { throw SystemCallError("read", errno) }
        return chunk
    }

    /// Returns the target of a link, or `nil` if it cannot be read or is longer than 4,096 bytes.
    static func target(ofLink path: String) -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 4097) { buffer, initialized in
            initialized = max(0, readlink(path, buffer.baseAddress!, buffer.count))
        }
        return bytes.isEmpty || bytes.count > 4096 ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// Returns the inode number of the socket that a descriptor's link leads to (`socket:[N]`), or `nil` if it leads to
    /// anything else.
    static func socketInode(
        ofLink path: UnsafePointer<CChar>, in folder: CInt
    ) -> Result<UInt32?, SystemCallError> {
        // A link to a socket is shorter.
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { buffer in
            let bytes = buffer.assumingMemoryBound(to: CChar.self)
            let count = readlinkat(folder, path, bytes.baseAddress!, bytes.count)
            if count < 0 {
                // Attack: a process opens a file whose path is longer than the kernel writes, so that the process
                // cannot be read.
                return errno == ENAMETOOLONG ? .success(nil) : .failure(SystemCallError("readlinkat", errno))
            }
            return .success(socketInode(UnsafeRawBufferPointer(rebasing: buffer.prefix(count))))
        }
    }

    private static func socketInode(_ target: UnsafeRawBufferPointer) -> UInt32? {
        let prefix = "socket:[".utf8
        guard target.count > prefix.count, target.last == UInt8(ascii: "]"), target.starts(with: prefix) else {
            return nil
        }
        let digits = UnsafeRawBufferPointer(rebasing: target[prefix.count..<target.count - 1])
        return UInt64(digits: digits).flatMap { UInt32(exactly: $0) }
    }

    /// Returns the user IDs of a process, from its folder in proc(5): real, effective, saved and for files.
    ///
    /// Attack: a process has a name that is not UTF-8, or that contains the line. The kernel writes a line break in the
    /// name as `\n`, so only the real line begins with `Uid:`.
    ///
    /// Attack: a process has so many groups that the file is too large. They come after the line, so reading ends
    /// before.
    static func uids(_ process: String) throws(SystemCallError) -> [UInt32] {
        let file = try open(process + "/status")
        defer { close(file) }
        var status = try nextChunk(of: file)[...]
        while let end = status.firstIndex(of: UInt8(ascii: "\n")) {
            let line = status[..<end]
            status = status[(end + 1)...]
            guard line.starts(with: "Uid:\t".utf8) else { continue }
            let uids = line.dropFirst(5).split(separator: UInt8(ascii: "\t")).compactMap { field in
                field.withUnsafeBytes(UInt64.init(digits:)).flatMap { UInt32(exactly: $0) }
            }
            if uids.count == 4 { return uids }
        }
        throw SystemCallError("status", EBADMSG)
    }
}

extension UInt64 {
    /// Parses a number as the kernel writes it in proc(5). Returns `nil` unless all of the bytes are digits, 1 to 10 of
    /// them.
    init?(digits: UnsafeRawBufferPointer) {
        guard 1...10 ~= digits.count else { return nil }
        self = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            self = self * 10 + UInt64(digit)
        }
    }
}
