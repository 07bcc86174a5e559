import TestSupport

/// The names in the Swift sources below `Sources/`, for documents that refer to them.
struct SourceIndex {
    /// The paths of all sources below `Sources/`.
    private var paths: Set<String> = []
    /// The paths of all folders below `Sources/`.
    private var folders: Set<String> = []
    /// The files that declare or extend a type, by its name.
    private var files: [String: Set<String>] = [:]
    /// The functions, properties and cases that a file declares, by its path.
    private var members: [String: Set<String>] = [:]
    /// All words of the code and of the names of files, tests included.
    private(set) var words: Set<String> = []

    init() throws {
        for file in try Project.files(below: "Sources") {
            words.formUnion(Self.words(of: file))
            let path = String(file.dropFirst("Sources/".count))
            if path.hasSuffix(".swift") || path.hasSuffix(".varlink") {
                paths.insert(path)
                try read(file, at: path)
            } else if !path.split(separator: "/").last!.contains(".") {
                folders.insert(path)
            }
        }
        for file in try Project.files(below: "Tests") {
            words.formUnion(Self.words(of: file))
            guard file.hasSuffix(".swift") else { continue }
            for line in try Self.code(of: file) { words.formUnion(Self.words(of: line)) }
        }
        words.formUnion(Self.words(of: try Project.text("Package.swift")))
    }

    private mutating func read(_ file: String, at path: String) throws {
        for line in try Self.code(of: file) {
            let tokens = Self.words(of: line)
            words.formUnion(tokens)
            for (keyword, name) in zip(tokens, tokens.dropFirst()) {
                switch keyword {
                case "struct", "class", "enum", "actor", "protocol", "typealias":
                    files[name, default: []].insert(path)
                case "func", "var", "let": members[path, default: []].insert(name)
                default: break
                }
            }
            // An extension of a nested type names several.
            if let name = tokens.firstIndex(of: "extension") {
                for type in tokens[name...].dropFirst().prefix(3) { files[type, default: []].insert(path) }
            }
            if tokens.contains("init") { members[path, default: []].insert("init") }
            if tokens.contains("case") { members[path, default: []].formUnion(tokens) }
        }
    }

    /// Returns the lines of a file that are not comments.
    private static func code(of file: String) throws -> [Substring] {
        try Project.text(file).utf8.split(separator: UInt8(ascii: "\n"))
            .filter { !$0.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8) }.map { Substring($0) }
    }

    private static func words(of text: some StringProtocol) -> [String] {
        text.utf8.split { !isInWord($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Returns whether there is a file that a document calls `name`, by its path with its module or below one of the
    /// modules. A type may be in several files, `Type.swift` and `Type+Part.swift`.
    func isFile(_ name: String) -> Bool {
        paths.contains { path in
            let stem = path.prefix { $0 != "." }
            return [path[...], stem, stem.prefix { $0 != "+" }].contains { $0 == name || $0.hasSuffix("/" + name) }
        }
    }

    func isFolder(_ name: String) -> Bool { folders.contains { $0 == name || $0.hasSuffix("/" + name) } }

    func isType(_ name: String) -> Bool { files[name] != nil }

    /// Returns whether one of the files of `type` declares a function, property or case `member`.
    func declares(_ member: String, type: String) -> Bool {
        (files[type] ?? []).contains { members[$0]?.contains(member) ?? false }
    }
}
