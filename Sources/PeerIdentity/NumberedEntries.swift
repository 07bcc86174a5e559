internal import Glibc

/// The entries of a folder whose names are numbers, such as the processes in `/proc` or the descriptors of one of them.
struct NumberedEntries: ~Copyable {
    private let folder: OpaquePointer

    /// Opens a folder, or returns `nil` if that fails.
    init?(of path: String) {
        guard let folder = opendir(path) else { return nil }
        self.folder = folder
    }

    deinit { closedir(folder) }

    /// The descriptor of the folder.
    var descriptor: CInt { dirfd(folder) }

    /// Returns the next number, or `nil` at the end.
    func next() -> CInt? {
        while let entry = readdir(folder) {
            // The name is within the entry, and ends with 0.
            if let number = withUnsafeBytes(of: &entry.pointee.d_name, Self.number) { return number }
        }
        return nil
    }

    private static func number(_ name: UnsafeRawBufferPointer) -> CInt? {
        var number: CInt = 0
        for (index, byte) in name.enumerated() {
            if byte == 0 { return index > 0 ? number : nil }
            guard index < 9, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + CInt(byte - UInt8(ascii: "0"))
        }
        return nil
    }
}
