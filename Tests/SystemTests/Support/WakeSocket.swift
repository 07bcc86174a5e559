import TestSupport

/// The socket that starts an app, with the app behind it, which reads the socket.
final class WakeSocket {
    private let listener: Listener
    var path: String { listener.path }

    /// A Boolean value indicating whether a line is waiting to be read.
    var isWoken: Bool { listener.hasPendingConnection }

    init(in folder: TemporaryFolder) throws { listener = try Listener(folder.path + "/wake") }

    /// Returns the next line that is written to the socket.
    func line() async throws -> String {
        try await eventually("a wake") { isWoken }
        return try listener.received()?.split(separator: "\n").first.map(String.init) ?? ""
    }
}
