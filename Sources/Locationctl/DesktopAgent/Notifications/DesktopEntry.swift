internal import Bytewise
internal import ForeignText
internal import FoundationEssentials
internal import Glibc
internal import LocationModel
internal import LocationctlSupport

/// An app's name and icon on a desktop, as its desktop entry states them (Desktop Entry Specification,
/// version 1.5).
struct DesktopEntry: Equatable {
    /// The name, in the user's language if the entry has it.
    private(set) var name: String?
    /// The name of an icon in the desktop's themes, or the absolute path of a file.
    private(set) var icon: String?
    /// The program that the entry starts, as it is written there.
    private(set) var program: String?

    /// The folders with a subfolder `applications`, in order of preference.
    struct Folders {
        /// The folders that only the administrator installs to.
        var system: [String]
        /// The user's own folders.
        var own: [String] = []
        /// The required owner of the files in `system` that name executables. Attack: one of these folders belongs to
        /// the user.
        var systemOwner: uid_t = 0
    }

    /// The maximum size of an entry's file, in bytes. A larger file is ignored.
    private static let maximumSize = 256 * 1024
    /// The maximum number of entries per folder that are searched for an executable.
    private static let maximumCount = 2000
    private static let programFolders = ["/usr/local/bin", "/usr/bin", "/usr/local/games", "/usr/games"]

    /// Returns the entry of an app, or `nil` if it has none. An executable has the entry that starts it.
    ///
    /// Attack: a program writes an entry into the user's own folder, and another app is shown under the name in it. So
    /// the system's folders come first, and the names of executables are looked up in these only.
    ///
    /// - Parameters:
    ///   - app: The app's identity, as `kind:name`.
    ///   - languages: The languages that the user reads, the preferred one first.
    init?(of app: String, in folders: Folders, languages: [String]) {
        if app.hasPrefix("exe:/") {
            guard let entry = Self.entry(starting: String(app.dropFirst(4)), in: folders, languages) else {
                return nil
            }
            self = entry
            return
        }
        guard let file = Self.file(of: app) else { return nil }
        for folder in folders.system + folders.own {
            if let text = Self.read("\(folder)/applications/\(file)") {
                self.init(text, languages: languages)
                return
            }
        }
        return nil
    }

    /// Reads the text of an entry. Unreadable lines are ignored.
    init(_ text: String, languages: [String]) {
        var isEntry = false
        var names: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            if line.first == "[" {
                isEntry = line == "[Desktop Entry]"
                continue
            }
            guard isEntry, let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals].trimmed
            let value = String(line[line.index(after: equals)...].trimmed)
            guard !value.isEmpty else { continue }
            if key == "Icon" { icon = Self.isIcon(value) ? value : nil }
            if key == "Exec" { program = Self.program(value) }
            if key == "Name" { names[""] = value }
            if key.hasPrefix("Name["), key.hasSuffix("]") { names[String(key.dropFirst(5).dropLast())] = value }
        }
        let known = languages.flatMap { language in
            let region = language.replacing("-", with: "_")
            return [region, String(region.prefix { $0 != "_" })]
        }
        name = (known + [""]).lazy.compactMap { names[$0] }.first
    }

    /// The folders with the entries of installed apps.
    static var folders: Folders {
        func list(_ variable: String, _ fallback: String) -> [String] {
            let value = getenv(variable).map { String(cString: $0) } ?? ""
            return (value.isEmpty ? fallback : value).split(separator: ":").map(String.init)
        }
        let home = getenv("HOME").map { String(cString: $0) } ?? "/"
        let own = list("XDG_DATA_HOME", home + "/.local/share")
        let system = list("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
        let others = ["/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop"]
        return Folders(
            system: (system.filter { !$0.hasPrefix(home + "/") } + others).filter { $0.hasPrefix("/") },
            own: ([home + "/.local/share/flatpak/exports/share"] + own).filter { $0.hasPrefix("/") })
    }

    /// Returns the entry in one of the folders that starts the executable at a path without links.
    private static func entry(starting path: String, in folders: Folders, _ languages: [String]) -> DesktopEntry? {
        for folder in folders.system {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/applications")) ?? []
            for file in files.sorted().prefix(maximumCount) where file.hasSuffix(".desktop") {
                guard let text = read("\(folder)/applications/\(file)", owner: folders.systemOwner) else { continue }
                let entry = DesktopEntry(text, languages: languages)
                if let program = entry.program, resolved(program)?.isBytewiseEqual(to: path) == true { return entry }
            }
        }
        return nil
    }

    /// Returns the program in an entry's command line ("The Exec key"), after `env` and its variables.
    ///
    /// Attack: an entry that starts a script gives the script's name to every program of its interpreter. So the result
    /// is `nil` if the program has arguments other than options and the files to open.
    private static func program(_ command: String) -> String? {
        let words = command.split(separator: " ").drop { $0 == "env" || $0 == "/usr/bin/env" || $0.contains("=") }
        let parts = command.dropFirst().split(separator: "\"", maxSplits: 1)
        let isQuoted = command.first == "\""
        guard let program = isQuoted ? parts.first : words.first else { return nil }
        let arguments = isQuoted ? parts.dropFirst().flatMap { $0.split(separator: " ") } : Array(words.dropFirst())
        return arguments.allSatisfy { $0.first == "%" || $0.hasPrefix("--") } ? String(program) : nil
    }

    /// Returns a program's path without links. The desktop looks for programs in the usual folders.
    private static func resolved(_ program: String) -> String? {
        let paths = program.contains("/") ? [program] : programFolders.map { "\($0)/\(program)" }
        return paths.lazy.compactMap { path in
            guard let resolved = realpath(path, nil) else { return nil }
            defer { free(resolved) }
            return String(cString: resolved)
        }.first
    }

    /// Returns the file name of an app's entry, or `nil` if apps of its kind have none.
    private static func file(of app: String) -> String? {
        guard let colon = app.firstIndex(of: ":") else { return nil }
        let name = String(app[app.index(after: colon)...])
        // Attack: a name with a slash would lead to any file.
        guard !name.isEmpty, name.utf8.count <= 200, name.first != ".", !name.contains("/"), !name.contains("\0") else {
            return nil
        }
        switch app[..<colon] {
        case "app", "flatpak": return "\(name).desktop"
        case "snap": return "\(name)_\(name).desktop"
        default: return nil
        }
    }

    private static func isIcon(_ value: String) -> Bool {
        value.utf8.count <= 1024 && (value.hasPrefix("/") || !value.contains("/"))
    }

    private static func read(_ path: String, owner: uid_t? = nil) -> String? {
        // A FIFO would block here, and a device might never end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumSize,
            owner == nil || status.st_uid == owner
        else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: maximumSize) { memory, count in
            count = max(0, Glibc.read(descriptor, memory.baseAddress, maximumSize))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
