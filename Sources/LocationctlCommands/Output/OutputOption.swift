internal import ArgumentParser

/// The option that selects JSON for programs instead of text for users.
struct OutputOption: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false

    /// Writes `value` as a line of JSON, or the text for users.
    func write(_ value: some Encodable, text: () -> String) throws {
        try Terminal.writeOutput(json ? try JSONLine.line(value) : text())
    }
}
