internal import Glibc
internal import Linux

/// The entries of a folder, read one after the other.
struct FolderEntries: ~Copyable {
    private let folder: OpaquePointer

    /// Opens the folder at a path. The path may contain any byte but 0.
    init(of path: some Sequence<UInt8>) throws(SystemCallError) {
        guard let folder = opendir(path.map(CChar.init(bitPattern:)) + [0]) else {
            throw SystemCallError("opendir", errno)
        }
        self.folder = folder
    }

    deinit { closedir(folder) }

    /// The descriptor of the folder.
    var descriptor: CInt { dirfd(folder) }

    /// Returns the next entry, which is valid until the one after it is read, or `nil` at the end.
    func next() throws(SystemCallError) -> FolderEntry? {
        // readdir(3): only errno distinguishes an error from the end.
        errno = 0
        if let entry = readdir(folder) { return FolderEntry(entry) }
        guard errno == 0 else { throw SystemCallError("readdir", errno) }
        return nil
    }
}

/// An entry of a folder. Its name may contain any byte but 0 and `/`.
struct FolderEntry {
    private let entry: UnsafeMutablePointer<dirent>

    fileprivate init(_ entry: UnsafeMutablePointer<dirent>) { self.entry = entry }

    /// The number of the inode.
    var inode: UInt64 { UInt64(entry.pointee.d_ino) }

    /// The name, if the entry is a folder other than this one and the one above it.
    var folderName: [UInt8]? {
        guard entry.pointee.d_type == DT_DIR else { return nil }
        let name = withName { Array($0) }
        return name == Array(".".utf8) || name == Array("..".utf8) ? nil : name
    }

    /// The name as a number, such as a process ID or a descriptor, or `nil` if it is not a number.
    var number: CInt? { withName(UInt64.init(digits:)).flatMap { CInt(exactly: $0) } }

    /// Calls a function with the name, as a path that ends with 0.
    func withPath<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
        // The name is within the entry, and ends with 0.
        withUnsafeBytes(of: &entry.pointee.d_name) { body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
    }

    /// The name, or `nil` if it is not UTF-8.
    var name: String? { withPath { String(validatingCString: $0) } }

    private func withName<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        withPath { body(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
}
