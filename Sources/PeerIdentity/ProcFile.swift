internal import Glibc

/// Files and links in proc(5).
enum ProcFile {
    /// Returns the contents of a small file, or `nil` if it cannot be read or is larger than 64 KiB.
    static func contents(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        while bytes.count <= 65_536 {
            let (chunk, count) = readChunk(file)
            if count < 0 { return nil }
            if count == 0 { return String(validating: bytes, as: UTF8.self) }
            bytes += chunk
        }
        return nil
    }

    private static func readChunk(_ file: CInt) -> ([UInt8], Int) {
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, initialized in
            repeat { count = read(file, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        return (chunk, count)
    }

    /// Returns the target of a link, or `nil` if it cannot be read or is longer than 4,096 bytes.
    static func target(ofLink path: String) -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 4097) { buffer, initialized in
            initialized = max(0, readlink(path, buffer.baseAddress!, buffer.count))
        }
        return bytes.isEmpty || bytes.count > 4096 ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// Returns whether the link `name` in an open folder has this target.
    static func isLink(_ name: String, in folder: CInt, to target: [UInt8]) -> Bool {
        // One byte more shows that a target is longer.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: target.count + 1) { buffer in
            let count = readlinkat(folder, name, buffer.baseAddress!, buffer.count)
            return count == target.count && target.elementsEqual(UnsafeRawBufferPointer(buffer).prefix(count))
        }
    }

    /// Returns the user IDs of a process: real, effective, saved and for files. `nil` if they cannot be read.
    static func uids(of pid: pid_t) -> [UInt32]? {
        let prefix = "Uid:"
        let line = contents("/proc/\(pid)/status")?.split(separator: "\n").first { $0.hasPrefix(prefix) }
        let uids = line?.dropFirst(prefix.count).split(separator: "\t").compactMap { UInt32($0) }
        return uids?.count == 4 ? uids : nil
    }
}
