internal import ArgumentParser
internal import LocationctlSupport
internal import LogReport
internal import NIOCore
internal import NMEA

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Writes a report of recorded logs as a page for a browser.",
        discussion: """
            Reads NMEA 0183 with or without UBX frames, GPX, also in UTF-16, and the JSON lines of \
            `locationctl watch --json` and `locationctl decode`, recognized by their beginning, without a daemon. The \
            page shows the track, speed, altitude, accuracy, satellites and signals over time, the sky, gaps, \
            outliers, stand-stills, and what was skipped and why. It is one file that loads nothing and needs no script.

            Each FILE becomes a section of its own. To report several files as one log, join them: \
            `cat monday.nmea tuesday.nmea | locationctl report - -o week.html`. The page contains the positions of the \
            log: only its owner can read it.
            """)

    @Argument(
        help: ArgumentHelp("The logs, eight at most; - for standard input.", valueName: "file"), completion: .file())
    var files: [String]
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where to write the page; - for standard output.", valueName: "report.html"))
    var output: String

    func validate() throws {
        guard files.count <= ReportPage.maximumLogs else {
            throw ValidationError("A report has \(ReportPage.maximumLogs) logs at most; make several reports.")
        }
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Standard input (-) can be read only once.")
        }
        guard output != "" else {
            throw ValidationError("--output needs the name of a file, or - for standard output.")
        }
    }

    func run() throws {
        if output != "-" { try AtomicFile.check(output) }
        let inputs = try files.map { try ChunkedInput(path: $0) }
        let sizes = inputs.map(\.size)
        var progress = ProgressBar(
            totalBytes: sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + $1! }, printsOutput: false)
        // An error message begins on a line of its own.
        defer { progress.end() }
        var logs: [ReportLog] = []
        for (file, input) in zip(files, inputs) { logs.append(try Self.read(file, input, &progress)) }
        progress.end()
        let page = ReportPage(logs).html
        if output == "-" { try Terminal.writeOutput(page) } else { try AtomicFile.write(page, to: output, mode: 0o600) }
    }

    private static func read(
        _ file: String, _ input: ChunkedInput, _ progress: inout ProgressBar
    ) throws -> ReportLog {
        let name = file == "-" ? "standard input" : file
        var reader = LogReader()
        do {
            while let chunk = try input.next() {
                try reader.read(chunk.readableBytesUInt8Span)
                progress.advance(by: chunk.readableBytes)
            }
            try reader.finish()
        } catch let failure as LogReader.Failure {
            throw Failure(
                .failed, "\(Terminal.printable(name)):\(failure.line): \(Terminal.printable(failure.message))")
        }
        guard reader.format != .nmea || reader.counts.messages > 0 else {
            throw Failure(.failed, "\(name) is not a log: nothing in it can be read")
        }
        // The report may be shared, so it does not show the owner's folders.
        return ReportLog(reader, name: name.split(separator: "/").last.map(String.init) ?? name)
    }
}
