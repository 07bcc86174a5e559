internal import CLinux
internal import Glibc

/// A reader of files that only root and the daemon's own user could have written.
///
/// Attack: a user who may write to a folder on the path replaces the checked file, or a folder or link on the way to
/// it. So the path is followed from the root, each part is opened inside the previous one, and the checks apply to the
/// open file rather than to its name, which may lead to another file a moment later.
struct FileTrust {
    /// The user whose files are trusted, besides root's.
    var user = geteuid()

    /// Opens the folder at an absolute path. Returns `nil` if there is no such folder.
    func openFolder(_ path: String) throws(Untrusted) -> OpenPath? {
        var folder = OpenPath(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        var partial = ""
        let parts = path.split(separator: "/")
        for (index, part) in parts.enumerated() {
            partial += "/" + part
            let next = path_open_in(folder.descriptor, String(part))
            if next == -ENOENT { return nil }
            folder = try OpenPath(checked: next, path: partial)
            try check(folder, is: S_IFDIR, named: "folder", isLast: index == parts.count - 1, path: partial)
        }
        return folder
    }

    /// Returns the text of a file, which may have at most `limit` bytes. `path` is the file's name in errors.
    func contents(of name: String, in folder: OpenPath, path: String, limit: Int) throws(Untrusted) -> String {
        let place = try OpenPath(checked: path_open_in(folder.descriptor, name), path: path)
        try check(place, is: S_IFREG, named: "regular file", isLast: true, path: path)
        let file = OpenPath(open(place.link, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        guard file.descriptor >= 0, let bytes = file.bytes(limit: limit + 1) else { throw Untrusted(path, errno) }
        guard bytes.count <= limit else { throw Untrusted(path, "has more than \(limit) bytes") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Untrusted(path, "is not UTF-8") }
        return text
    }

    private func check(
        _ place: OpenPath, is type: mode_t, named kind: String, isLast: Bool, path: String
    ) throws(Untrusted) {
        var status = stat()
        guard fstat(place.descriptor, &status) == 0 else { throw Untrusted(path, errno) }
        guard status.st_mode & S_IFMT == type else { throw Untrusted(path, "is not a \(kind)") }
        guard status.st_uid == 0 || status.st_uid == user else {
            throw Untrusted(path, "is owned by user \(status.st_uid): it must be owned by root")
        }
        // In a folder with the sticky bit, other users can create files but cannot replace existing ones.
        let isKept = !isLast && status.st_mode & S_ISVTX != 0
        guard isKept || status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw Untrusted(path, "users other than its owner may write to it: change that with chmod go-w")
        }
    }
}

/// The reason why a file is not read, with the file's path.
struct Untrusted: Error, CustomStringConvertible {
    let description: String

    init(_ path: String, _ reason: String) {
        description = "\(path): \(reason)"
    }

    init(_ path: String, _ errno: CInt) {
        self.init(path, errno == ELOOP ? "is a symbolic link, which is not followed" : String(cString: strerror(errno)))
    }
}

/// A file or folder that is open, and closed on deinit.
final class OpenPath {
    let descriptor: CInt

    /// Takes ownership of `descriptor`.
    init(_ descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Takes ownership of `descriptor`, or throws the error if it is a negated errno.
    convenience init(checked descriptor: CInt, path: String) throws(Untrusted) {
        guard descriptor >= 0 else { throw Untrusted(path, -descriptor) }
        self.init(descriptor)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The path for opening the place for reading: proc(5).
    var link: String { "/proc/self/fd/\(descriptor)" }

    /// Returns the names in a folder, or `nil`, with errno set, if the folder cannot be listed.
    func names() -> [String]? {
        guard let stream = opendir(link) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }

    /// Returns the contents of a file, at most `limit` bytes, or `nil`, with errno set, if the file cannot be read.
    func bytes(limit: Int) -> [UInt8]? {
        var all: [UInt8] = []
        while all.count < limit {
            var count = 0
            all += [UInt8](unsafeUninitializedCapacity: min(4096, limit - all.count)) { buffer, initialized in
                repeat { count = read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
                initialized = max(0, count)
            }
            if count < 0 { return nil }
            if count == 0 { break }
        }
        return all
    }
}
