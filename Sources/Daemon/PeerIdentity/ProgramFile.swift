internal import Glibc

/// The file at a path that a user writes, by the name that the kernel uses for processes that run it.
///
/// A path may contain links, and several paths may lead to one file. The kernel knows a process by one of them, without
/// links: proc(5).
public enum ProgramFile: Sendable, Equatable {
    /// A program. Its processes are known by `path`.
    case program(path: String, isExecutable: Bool)
    /// A script. Its processes are those of its interpreter, which is `nil` if it is not found.
    case script(path: String, interpreter: String?)
    /// Something other than a file with content.
    case folder, special
    /// A file that does not exist. `lookalike` is the path of a file whose name looks the same, if there is one.
    case missing(lookalike: String?)
    /// A file that cannot be examined, for this reason.
    case unreadable(reason: String)

    /// Examines the file at an absolute path, as this process sees it. Blocks if a file system does not answer.
    public init(at path: String) {
        guard let real = Self.realPath(path) else {
            let failure = errno
            self =
                failure == ENOENT || failure == ENOTDIR
                ? .missing(lookalike: Self.lookalike(of: path))
                : .unreadable(reason: String(cString: strerror(failure)))
            return
        }
        var status = stat()
        guard stat(real, &status) == 0 else {
            self = .unreadable(reason: String(cString: strerror(errno)))
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR:
            self = .folder
            return
        default:
            self = .special
            return
        }
        if let words = Self.interpreterWords(real) {
            self = .script(path: real, interpreter: Self.interpreter(words))
        } else {
            self = .program(path: real, isExecutable: status.st_mode & 0o111 != 0)
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    // MARK: Scripts

    /// Returns the words after `#!` in a script's first line, execve(2), or `nil` if the file is not a script or cannot
    /// be read.
    private static func interpreterWords(_ path: String) -> [String]? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // The kernel reads no more than this.
        let start = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, 256))
        }
        guard start.starts(with: "#!".utf8) else { return nil }
        let line = start.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    }

    /// Returns the path of the program that runs a script. `env` runs its first word that is neither an option nor an
    /// assignment: env(1).
    private static func interpreter(_ words: [String]) -> String? {
        guard let first = words.first else { return nil }
        guard first.split(separator: "/").last == "env" else { return realPath(first) }
        guard let name = words.dropFirst().first(where: { !$0.hasPrefix("-") && !$0.contains("=") }) else { return nil }
        if name.contains("/") { return realPath(name) }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").lazy.map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }.flatMap(realPath)
    }

    // MARK: Lookalikes

    /// Returns an existing path that looks like `path`: its names differ only in blanks at their ends, "(deleted)", or
    /// the Unicode normalization form. The kernel compares names as bytes.
    private static func lookalike(of path: String) -> String? {
        var found = ""
        for part in path.split(separator: "/").map(String.init) {
            var status = stat()
            if stat("\(found)/\(part)", &status) == 0 {
                found += "/\(part)"
            } else if let name = names(in: found + "/").first(where: { essence(of: $0) == essence(of: part) }) {
                found += "/\(name)"
            } else {
                return nil
            }
        }
        return found
    }

    /// Returns the part of a name that a user sees. Two parts are equal if they are canonically equivalent.
    private static func essence(of name: String) -> String {
        let suffix = " (deleted)"
        let shown = name.hasSuffix(suffix) ? name.dropLast(suffix.count) : name[...]
        return String(shown.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func names(in folder: String) -> [String] {
        guard let entries = try? FolderEntries(of: folder.utf8) else { return [] }
        var names: [String] = []
        while let entry = (try? entries.next()) ?? nil {
            if let name = entry.name { names.append(name) }
        }
        return names.sorted()
    }
}
