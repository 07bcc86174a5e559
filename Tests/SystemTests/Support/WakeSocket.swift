import TestSupport

/// The socket that an app is started through, with the app behind it: takes what is written to it.
final class WakeSocket {
    private let listener: Listener
    var path: String { listener.path }

    init(in folder: TemporaryFolder) throws { listener = try Listener(folder.path + "/wake") }

    /// Returns the next line that is written to it.
    func line() async throws -> String {
        try await eventually("a wake") { listener.isAskedFor }
        return try listener.received()?.split(separator: "\n").first.map(String.init) ?? ""
    }
}
