internal import CoreLocation
internal import Foundation

/// The file with a monitor's conditions. There is one for each name, in the user's state folder (`XDG_STATE_HOME`, else
/// `~/.local/state`), in `CoreLocation/` followed by the app's name.
struct MonitorFile: Sendable {
    private let url: URL

    /// - Parameter stateDirectory: The state folder, or `nil` for the user's.
    init(monitor name: String, in stateDirectory: String?) {
        let folder = stateDirectory.map { URL(filePath: $0) } ?? Self.stateFolder
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        url = folder.appending(path: "CoreLocation").appending(path: Self.fileName(app))
            .appending(path: Self.fileName(name) + ".monitor")
    }

    private static var stateFolder: URL {
        let home = ProcessInfo.processInfo.environment["XDG_STATE_HOME"]
        if let home, home.hasPrefix("/") { return URL(filePath: home) }
        return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state")
    }

    /// Returns the entries in the order they were added, or none if the file does not exist or is invalid.
    func read() -> [MonitorEntry] {
        guard let data = try? Data(contentsOf: url),
            let saved = try? JSONDecoder().decode([MonitorEntry.Saved].self, from: data)
        else { return [] }
        return saved.compactMap { MonitorEntry($0) }
    }

    /// Writes the entries to the file. Returns whether that succeeded.
    func write(_ entries: [MonitorEntry]) -> Bool {
        do {
            // The folder is private, because the states reveal where the user has been.
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try JSONEncoder().encode(entries.compactMap(\.saved)).write(to: url, options: .atomic)
            return true
        } catch {
            return false
        }
    }

    /// Returns a file name for `name` that contains no path.
    private static func fileName(_ name: String) -> String {
        let safe = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_ "))
        return name.addingPercentEncoding(withAllowedCharacters: safe) ?? ""
    }
}

/// The names of monitors' conditions among the app's regions. They keep conditions apart from managers' regions.
enum MonitorName {
    private static let prefix = "CLMonitor/"

    /// Returns the region identifier of a condition. A slash in the monitor's name is doubled, so that no two names
    /// collide.
    static func region(of condition: String, in monitor: String) -> String {
        identifierPrefix(of: monitor) + condition
    }

    /// Returns the identifier of a region's condition, or `nil` if the region does not belong to the monitor.
    static func condition(ofRegion identifier: String, in monitor: String) -> String? {
        let prefix = identifierPrefix(of: monitor)
        return identifier.hasPrefix(prefix) ? String(identifier.dropFirst(prefix.count)) : nil
    }

    /// Returns whether a region belongs to any monitor.
    static func belongsToMonitor(_ identifier: String) -> Bool { identifier.hasPrefix(prefix) }

    private static func identifierPrefix(of monitor: String) -> String {
        prefix + monitor.replacing("/", with: "//") + "/:"
    }
}
