/// An error in reply to a call.
package struct BusFailure: Equatable, Sendable {
    /// The name of the error, such as `org.freedesktop.DBus.Error.NoReply`.
    package let name: String
    /// Its text, or its name if it has none.
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// Returns whether the last part of the name is one of these.
    package func isOne(of lastParts: String...) -> Bool {
        lastParts.contains { name.hasSuffix("." + $0) }
    }
}
