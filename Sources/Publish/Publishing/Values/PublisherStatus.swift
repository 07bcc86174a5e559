/// The status of a publisher in words, for the service manager to show.
package struct PublisherStatus: Sendable, Equatable {
    /// The state of the connection to the server.
    package var connection: String
    /// The number of reports waiting to be sent.
    package var waiting: Int
    /// The number of reports refused by the server and set aside.
    package var refused: Int

    package init(connection: String, waiting: Int, refused: Int = 0) {
        self.connection = connection
        self.waiting = waiting
        self.refused = refused
    }

    /// The beginnings of the connection state while reports can be sent: over MQTT, and over HTTP before the first
    /// answer.
    package static let connected = "Connected to "
    package static let ready = "Ready to send to "

    /// A Boolean value indicating whether the server is connected.
    package var isConnected: Bool { connection.hasPrefix(Self.connected) || connection.hasPrefix(Self.ready) }

    /// The status as a line.
    package var text: String {
        let rest = refused > 0 ? "; \(refused) \(Self.refusedWords)" : ""
        return "\(connection); \(waiting) \(Self.waitingWords)\(rest)"
    }

    private static let waitingWords = "reports wait"
    private static let refusedWords = "that the server has refused are set aside"

    /// Parses the line of ``text``. Returns `nil` for any other text.
    package init?(_ text: String) {
        // From the end: an error message before the numbers may contain anything.
        var rest = Substring(text)
        let refused = Self.dropCount(of: Self.refusedWords, from: &rest) ?? 0
        guard let waiting = Self.dropCount(of: Self.waitingWords, from: &rest), !rest.isEmpty else { return nil }
        self.init(connection: String(rest), waiting: waiting, refused: refused)
    }

    /// Removes `; COUNT WORDS` from the end. Returns the count, or `nil` if the text ends otherwise.
    private static func dropCount(of words: String, from text: inout Substring) -> Int? {
        guard text.hasSuffix(" " + words) else { return nil }
        let before = text.dropLast(words.count + 1)
        let digits = before.suffix(while: { $0.isASCII && $0.isNumber })
        guard let count = Int(digits), before.dropLast(digits.count).hasSuffix("; ") else { return nil }
        text = before.dropLast(digits.count + 2)
        return count
    }
}

extension Substring {
    /// Returns the longest suffix whose characters all satisfy the condition.
    fileprivate func suffix(while isWanted: (Character) -> Bool) -> Substring {
        self[(lastIndex { !isWanted($0) }.map(index(after:)) ?? startIndex)...]
    }
}
