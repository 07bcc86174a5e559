internal import ArgumentParser
internal import ForeignText
internal import Varlink

/// The option that selects JSON for programs instead of text for users.
struct OutputOption: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false

    /// Writes `value` as a line of JSON, or the text for users.
    func write(_ value: some Encodable, text: () -> String) throws {
        try Terminal.writeOutput(json ? try JSONLine.line(value) : text())
    }
}

/// Output for programs.
enum JSONLine {
    /// Returns a value as one line of JSON.
    static func line(_ value: some Encodable) throws -> String {
        var writer = JSONWriter()
        try writer.value(encoding: value)
        return ForeignText.escapedInJSON(writer.text) + "\n"
    }
}
