internal import ArgumentParser
internal import ForeignText
internal import LocationctlSupport
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

/// The options of a command that prints a list. They are not in groups of their own: each group delays the start of a
/// command.
protocol ListOptions: ParsableArguments {
    var json: Bool { get }
    /// A Boolean value indicating whether the list is printed as in a pipe, even in a narrow window.
    var full: Bool { get }
    /// A Boolean value indicating whether times are in UTC, as in a pipe.
    var utc: Bool { get }
}

extension ListOptions {
    /// Writes `value` as a line of JSON, or the text for users on standard output's medium.
    func write(_ value: some Encodable, text: (OutputMedium) -> String) throws {
        let medium = OutputMedium.current(isWhole: full, isUTC: utc)
        try Terminal.writeOutput(json ? try JSONLine.line(value) : text(medium))
    }
}

/// The options of a list without times.
struct ListOption: ListOptions {
    fileprivate static let fullName: NameSpecification = [.customShort("l"), .long]
    fileprivate static let fullHelp: ArgumentHelp =
        "On a terminal: print all columns, and nothing shortened, as a pipe gets it."

    @Flag(help: "Print JSON.")
    var json = false
    @Flag(name: fullName, help: fullHelp)
    var full = false
    var utc: Bool { true }
}

/// The options of a list with times.
struct TimedListOption: ListOptions {
    @Flag(help: "Print JSON.")
    var json = false
    @Flag(name: ListOption.fullName, help: ListOption.fullHelp)
    var full = false
    @Flag(help: TimeOption.help)
    var utc = false
}

/// The option of a command that prints times, but no list.
struct TimeOption: ParsableArguments {
    fileprivate static let help: ArgumentHelp =
        "On a terminal: print times in UTC, as a pipe gets them, instead of local time."

    @Flag(help: help)
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
