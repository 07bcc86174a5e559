internal import CLinux
internal import Glibc

/// Opens files that nobody but root and the daemon's own user could have written.
///
/// Attack: who may write to a folder on the way puts a folder, a link or a file of his own in the place of the one that was
/// looked at. So the way is gone from the root on, each part opened in the one before, and what is looked at is what is
/// open, not what a name leads to a moment later.
struct FileTrust {
    /// Whose files count, besides root's.
    var user = geteuid()

    /// The folder at an absolute path; `nil` where there is none.
    func openFolder(_ path: String) throws(Untrusted) -> OpenPlace? {
        var folder = OpenPlace(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        var partial = ""
        let parts = path.split(separator: "/")
        for (index, part) in parts.enumerated() {
            partial += "/" + part
            let next = path_open_in(folder.descriptor, String(part))
            if next == -ENOENT { return nil }
            folder = try OpenPlace(checked: next, path: partial)
            try check(folder, S_IFDIR, "folder", isLast: index == parts.count - 1, partial)
        }
        return folder
    }

    /// The text of a file, at most `limit` bytes. `path` is what it is called in errors.
    func contents(of name: String, in folder: OpenPlace, path: String, limit: Int) throws(Untrusted) -> String {
        let place = try OpenPlace(checked: path_open_in(folder.descriptor, name), path: path)
        try check(place, S_IFREG, "file", isLast: true, path)
        let file = OpenPlace(open(place.link, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        guard file.descriptor >= 0, let bytes = file.bytes(limit: limit + 1) else { throw Untrusted(path, errno) }
        guard bytes.count <= limit else { throw Untrusted(path, "has more than \(limit) bytes") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Untrusted(path, "is not UTF-8") }
        return text
    }

    private func check(_ place: OpenPlace, _ type: mode_t, _ kind: String, isLast: Bool, _ path: String)
        throws(Untrusted)
    {
        var status = stat()
        guard fstat(place.descriptor, &status) == 0 else { throw Untrusted(path, errno) }
        guard status.st_mode & S_IFMT == type else { throw Untrusted(path, "is no \(kind)") }
        guard status.st_uid == 0 || status.st_uid == user else {
            throw Untrusted(path, "is owned by user \(status.st_uid): only root's are read")
        }
        // In a folder with the sticky bit others make files, but do not replace what is there.
        let isKept = !isLast && status.st_mode & S_ISVTX != 0
        guard isKept || status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw Untrusted(path, "others than its owner may write to it: chmod go-w makes it good")
        }
    }
}

/// Why a file is not read, with its path.
struct Untrusted: Error, CustomStringConvertible {
    let description: String

    init(_ path: String, _ reason: String) {
        description = "\(path): \(reason)"
    }

    init(_ path: String, _ errno: CInt) {
        self.init(path, errno == ELOOP ? "is a symbolic link, which is not followed" : String(cString: strerror(errno)))
    }
}

/// Something that is open until the last reference goes.
final class OpenPlace {
    let descriptor: CInt

    /// Takes over `descriptor`.
    init(_ descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Takes over `descriptor`, or throws what its negated errno says.
    convenience init(checked descriptor: CInt, path: String) throws(Untrusted) {
        guard descriptor >= 0 else { throw Untrusted(path, -descriptor) }
        self.init(descriptor)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Where to open it for reading, proc(5).
    var link: String { "/proc/self/fd/\(descriptor)" }

    /// The names in a folder; `nil` with errno where it cannot be listed.
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

    /// What is in a file, at most `limit` bytes of it; `nil` with errno where it cannot be read.
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
