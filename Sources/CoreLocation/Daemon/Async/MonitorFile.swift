internal import Foundation

/// What a monitor was left with: a file for each name, in the user's state folder (`XDG_STATE_HOME`, else `~/.local/state`),
/// in `CoreLocation/` and the app's name.
struct MonitorFile: Sendable {
    private let url: URL

    init(monitor name: String) {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
        let folder = home ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state")
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        url = folder.appending(path: "CoreLocation").appending(path: Self.fileName(app))
            .appending(path: Self.fileName(name) + ".monitor")
    }

    /// In the order in which they were added; none where there is no file, or not one of these.
    func read() -> [MonitorEntry] {
        guard let data = try? Data(contentsOf: url),
            let kept = try? JSONDecoder().decode([MonitorEntry.Kept].self, from: data)
        else { return [] }
        return kept.compactMap { MonitorEntry($0) }
    }

    /// Returns whether it is written.
    func write(_ entries: [MonitorEntry]) -> Bool {
        do {
            // Where the app's user has been is nobody else's business.
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try JSONEncoder().encode(entries.compactMap(\.kept)).write(to: url, options: .atomic)
            return true
        } catch {
            return false
        }
    }

    /// A name that is no path.
    private static func fileName(_ name: String) -> String {
        let safe = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_ "))
        return name.addingPercentEncoding(withAllowedCharacters: safe) ?? ""
    }
}
