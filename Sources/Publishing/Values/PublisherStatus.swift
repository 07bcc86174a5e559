/// The status of a publisher in words, as the service manager shows it.
package struct PublisherStatus: Sendable, Equatable {
    /// The state of the connection to the server.
    package var connection: String
    /// The number of reports that wait to be sent.
    package var waiting: Int

    package init(connection: String, waiting: Int) {
        self.connection = connection
        self.waiting = waiting
    }

    /// The beginning of the connection's state while there is a connection.
    package static let connected = "Connected to "

    /// A Boolean value indicating whether the server is connected.
    package var isConnected: Bool { connection.hasPrefix(Self.connected) }

    /// The status as a line.
    package var text: String { "\(connection); \(waiting) \(Self.suffix)" }

    private static let suffix = "reports wait"

    /// Reads the line of ``text``. Returns `nil` if it is something else.
    package init?(_ text: String) {
        // What comes before the number is an error message, in which anything may be.
        let words = text.split(separator: " ")
        guard words.count > 3, let waiting = Int(words[words.count - 3]), waiting >= 0 else { return nil }
        let end = "; \(waiting) \(Self.suffix)"
        guard text.hasSuffix(end) else { return nil }
        self.init(connection: String(text.dropLast(end.count)), waiting: waiting)
    }
}
