internal import ForeignText
internal import Varlink

/// Output for programs.
enum JSONLine {
    /// Returns a value as one line of JSON.
    static func line(_ value: some Encodable) throws -> String {
        var writer = JSONWriter()
        try writer.value(encoding: value)
        return ForeignText.escapedInJSON(writer.text) + "\n"
    }
}
