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

/// The options of a command that prints a list.
struct ListOption: ParsableArguments {
    @OptionGroup var output: OutputOption
    @Flag(
        name: [.customShort("l"), .long],
        help: "On a terminal: print all columns, and nothing shortened, as a pipe gets it.")
    var full = false

    /// A Boolean value indicating whether programs read the list.
    var json: Bool { output.json }

    /// Writes `value` as a line of JSON, or the text for users on standard output's medium.
    func write(_ value: some Encodable, _ time: TimeOption? = nil, text: (OutputMedium) -> String) throws {
        try output.write(value) { text(.current(isWhole: full, isUTC: time?.utc == true)) }
    }
}

/// The option of a command that prints times.
struct TimeOption: ParsableArguments {
    @Flag(help: "On a terminal: print times in UTC, as a pipe gets them, instead of local time.")
    var utc = false
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
