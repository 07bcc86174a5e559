internal import ArgumentParser

/// Whether a user or a program reads the output.
struct OutputOption: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false

    /// Writes `value` as a line of JSON, or the text for people.
    func write(_ value: some Encodable, text: () -> String) throws {
        Terminal.writeOutput(json ? try JSONOutput.line(value) : text())
    }
}
