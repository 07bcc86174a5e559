internal import ForeignText
internal import Glibc
internal import LocationModel

/// The name and the icon by which a desktop shows an app: what its desktop entry says (Desktop Entry Specification,
/// version 1.5).
struct DesktopEntry: Equatable {
    /// The name, in the user's language if the entry has it.
    private(set) var name: String?
    /// The name of an icon in the desktop's themes, or the absolute path of a file.
    private(set) var icon: String?

    /// The maximum size of an entry's file, in bytes. A larger one is none.
    private static let maximumSize = 256 * 1024

    /// Returns the entry of an app, or `nil` if it has none.
    ///
    /// Attack: a program writes an entry into the user's own folder, and another app is shown by the name in it. So the
    /// system's folders come first, where only the administrator installs.
    ///
    /// - Parameters:
    ///   - app: The app's identity, as `kind:name`.
    ///   - folders: The folders that have a folder `applications`, the first of them preferred.
    ///   - languages: The languages that the user reads, the preferred one first.
    init?(of app: String, in folders: [String], languages: [String]) {
        guard let file = Self.file(of: app) else { return nil }
        for folder in folders {
            if let text = Self.read("\(folder)/applications/\(file)") {
                self.init(text, languages: languages)
                return
            }
        }
        return nil
    }

    /// Reads the text of an entry. Lines that cannot be read are left out.
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
    static var folders: [String] {
        func list(_ variable: String, _ fallback: String) -> [String] {
            let value = getenv(variable).map { String(cString: $0) } ?? ""
            return (value.isEmpty ? fallback : value).split(separator: ":").map(String.init)
        }
        let home = getenv("HOME").map { String(cString: $0) } ?? "/"
        let own = list("XDG_DATA_HOME", home + "/.local/share")
        let system = list("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
        let others = [
            "/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop", home + "/.local/share/flatpak/exports/share",
        ]
        return (system.filter { !$0.hasPrefix(home + "/") } + others + own).filter { $0.hasPrefix("/") }
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

    private static func read(_ path: String) -> String? {
        // A FIFO would block here, a device never end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumSize else {
            return nil
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: maximumSize) { memory, count in
            count = max(0, Glibc.read(descriptor, memory.baseAddress, maximumSize))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
