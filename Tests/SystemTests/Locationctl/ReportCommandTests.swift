import Foundation
import TestSupport
import Testing

/// `locationctl report` as a user runs it.
@Suite(.timeLimit(.minutes(15))) struct ReportCommandTests {
    private let folder: TemporaryFolder
    private let log: String

    init() throws {
        folder = try TemporaryFolder()
        log = try folder.write((0..<5).map { Sentences.epoch($0) }.joined(), to: "log.nmea")
    }

    private func run(_ command: String) async throws -> Program.Result {
        let command = "cd '\(folder.path)' && umask 000 && " + command
        return try await Program.run("/bin/sh", ["-c", command], environment: ["CTL": Program.path("locationctl")])
    }

    private func page(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
    }

    @Test func thePageIsForItsOwnerAlone() async throws {
        let result = try await run("$CTL report log.nmea -o page.html && stat -c %a page.html && ls")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.lines == ["600", "log.nmea", "page.html"])
        #expect(try page("page.html").contains("<h2>log.nmea</h2>"))
    }

    @Test func whatDecodePrintsMakesTheSamePicture() async throws {
        let result = try await run(
            "$CTL decode log.nmea 2>/dev/null | $CTL report - --output lines.html && $CTL report log.nmea -o - >nmea.html"
        )
        #expect(result.status == 0, "\(result.errors)")
        let (lines, nmea) = (try page("lines.html"), try page("nmea.html"))
        #expect(lines.contains("<h2>standard input</h2>") && nmea.hasSuffix("</html>\n"))
        let way = try #require(nmea.firstMatch(of: /class="way" d="([^"]+)"/)).1
        #expect(lines.contains("class=\"way\" d=\"\(way)\""))
    }

    @Test func eachFileIsASection() async throws {
        let gpx = "$CTL decode --format gpx log.nmea >track.gpx 2>/dev/null"
        let result = try await run("\(gpx) && $CTL report track.gpx ./log.nmea -o page.html")
        #expect(result.status == 0, "\(result.errors)")
        let page = try page("page.html")
        #expect(page.contains("<h2>track.gpx</h2>") && page.contains("<h2>log.nmea</h2>"))
        #expect(page.contains("2 logs: log report</title>"))
    }

    @Test(arguments: [
        ("report", 2, "missing expected argument"), ("report log.nmea", 2, "--output"),
        ("report - - -o x", 2, "standard input (-) can be read only once"),
        ("report 1 2 3 4 5 6 7 8 9 -o x", 2, "8 logs at most"),
        ("report nothing.nmea -o x", 1, "cannot open nothing.nmea: No such file or directory"),
        ("report . -o x", 1, "cannot read .: Is a directory"),
        ("report log.nmea -o missing/x", 1, "cannot write missing/x: No such file or directory"),
        ("report log.nmea -o /dev/null", 1, "cannot write /dev/null: it exists and is not a regular file"),
        ("report log.nmea -o - >/dev/full", 1, "cannot write to standard output: No space left on device"),
        ("report bad.gpx -o x", 1, "bad.gpx:2: lat=\"91\" of <trkpt> is not a number of degrees from -90 to 90"),
    ])
    func whatCannotBeDoneIsSaid(_ arguments: String, _ status: Int32, _ message: String) async throws {
        try folder.write("<gpx>\n<trkpt lat=\"91\" lon=\"0\"/></gpx>", to: "bad.gpx")
        let result = try await run("$CTL \(arguments)")
        #expect(result.status == status && result.errors.contains(message), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/x"))
    }

    @Test func aLogWithoutAFixSaysWhatWasSkipped() async throws {
        try folder.write(Sentences.sentence("GPRMC,120000.00,V,,,,,,,010626,,,N"), to: "night.nmea")
        let result = try await run("$CTL report night.nmea -o page.html")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try page("page.html").contains("there is no fix in this log"))
    }

    @Test(arguments: ["report - -o page.html", "decode -"])
    func whatIsNoLogIsRefused(_ arguments: String) async throws {
        let result = try await run("head -c 20000 /dev/zero | $CTL \(arguments)")
        #expect(result.status == 1 && result.errors.contains("standard input is not a log"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/page.html"))
    }
}
