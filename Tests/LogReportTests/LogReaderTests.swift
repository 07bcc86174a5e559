import Corpus
import Testing

@testable import LogReport

struct LogReaderTests {
    @Test func nmeaIsRead() throws {
        var log = SampleLog()
        for second in 0..<10 { log.fix(second, north: Double(second)) }
        let report = try log.report()
        #expect(report.format == .nmea)
        #expect(report.statistics.parts.map(\.fixes) == [10])
        #expect(report.time.second(report.statistics.parts[0].times!.lowerBound) == "2026-11-21 00:00:00")
    }

    @Test func whatDecodePrintsIsRead() throws {
        let report = try SampleLog.report(
            """
            {"latitude":59.0,"longitude":18.0,"simulated":false}
            {"timestamp":"2026-11-21T00:00:01.000Z","latitude":59.0,"longitude":18.0,"speed":2.5,"simulated":true}

            """)
        #expect(report.format == .jsonLines)
        #expect(report.statistics.untimedFixes == 1)
        let part = report.statistics.parts[0]
        #expect(part.fixes == 2 && part.simulated == 1)
        #expect(part.total[.speed].mean == 2.5)
    }

    @Test func whatWatchPrintsIsRead() throws {
        let report = try SampleLog.report(
            """
            {"event":"receiverLost"}
            {"event":"location","location":{"timestamp":"2026-11-21T00:00:01Z","latitude":1,"longitude":2}}
            """)
        #expect(report.statistics.parts[0].fixes == 1)
        #expect(report.skipped.isEmpty)
    }

    @Test(arguments: [
        "{not json", "{\"latitude\":91,\"longitude\":0}", "{\"latitude\":1}", "{\"latitude\":\"1\",\"longitude\":2}",
        "[]", "1",
        "{\"timestamp\":\"now\",\"latitude\":1e400,\"longitude\":2}", "\u{0}",
        "{\"x\":\"" + String(repeating: "y", count: JSONLines.maximumLength) + "\"}",
    ])
    func linesThatCannotBeReadAreCounted(_ line: String) throws {
        let good = #"{"timestamp":"2026-11-21T00:00:01Z","latitude":1,"longitude":2}"#
        let report = try SampleLog.report("\(good)\n\(line)\n\(line)")
        #expect(report.statistics.parts[0].fixes == 1)
        #expect(report.skipped.map(\.count) == [2])
        #expect(report.skipped[0].text.hasSuffix("the first is line 2"))
    }

    private static let gpx = """
        <?xml version="1.0"?>
        <gpx version="1.1"><wpt lat="1" lon="1"/><trk><trkseg>
        <trkpt lat="59" lon="18"><ele>12</ele><time>2026-11-21T00:00:00Z</time><speed>3</speed></trkpt>
        <trkpt lat="59.001" lon="18"><time>2026-11-21T00:00:10Z</time></trkpt>
        </trkseg></trk></gpx>
        """

    @Test func gpxIsRead() throws {
        let report = try SampleLog.report("\u{FEFF} \n" + Self.gpx)
        #expect(report.format == .gpx)
        let part = report.statistics.parts[0]
        #expect(part.fixes == 2)
        #expect(abs(part.odometer.distance - 111.4) < 0.1)
        #expect(part.total[.altitude].mean == 12 && part.total[.speed].mean == 3)
    }

    @Test func gpxThatBreaksOffIsReportedUpToThere() throws {
        let report = try SampleLog.report(String(Self.gpx.dropLast(20)))
        #expect(report.statistics.parts[0].fixes == 2)
        #expect(report.skipped.map(\.text) == ["missing end (line 5: the file ends before </gpx>)"])
    }

    @Test(arguments: [
        ("<gpx><trkpt lat='1'/></gpx>", 1, "<trkpt> lacks lon"),
        ("<gpx>\n<trkpt lat='x' lon='1'/></gpx>", 2, "lat=\"x\" of <trkpt> is not a number of degrees from -90 to 90"),
        ("<gpx></gpx>", 1, "there is no <trkpt> in the file"), ("<gpx>", 1, "the file ends before </gpx>"),
        ("<?xml?><kml/>", 1, "the file begins with <kml>, not with <gpx>"),
    ])
    func gpxThatCannotBeReadIsAnError(_ text: String, _ line: Int, _ message: String) {
        #expect(throws: LogReader.Failure(line: line, message: message)) { try SampleLog.report(text) }
    }

    @Test func theOrderOfFixesIsHeldAsForReceivers() throws {
        func line(_ second: Int) -> String {
            #"{"timestamp":"2026-11-21T00:00:\#(second)Z","latitude":1,"longitude":2}"#
        }
        let report = try SampleLog.report([20, 21, 21, 15, 16, 17, 18, 19].map(line).joined(separator: "\n"))
        #expect(report.skipped.map(\.count) == [1, 3])
        #expect(report.statistics.parts.map(\.fixes) == [2, 2], "a time that went back begins a part")
    }

    @Test func piecesMakeNoDifference() throws {
        for log in Corpus.own.logs {
            let bytes = try log.bytes()
            let whole = ReportPage([try SampleLog.report(bytes)]).html
            for piece in [1, 7, 1000] {
                #expect(ReportPage([try SampleLog.report(bytes, piece: piece)]).html == whole, "\(log)")
            }
        }
    }

    @Test func everyFixOfADecoderIsInTheReport() throws {
        for log in Corpus.own.logs {
            let statistics = try SampleLog.report(log.bytes()).statistics
            let fixes = statistics.parts.reduce(0) { $0 + Int($1.fixes) } + Int(statistics.droppedFixes)
            #expect(fixes == (try log.fixes().count), "\(log)")
        }
    }

    @Test(
        arguments: [[], [0x20], [0xFF, 0xFE, 0x00], Array("<gpx".utf8), Array(repeating: 0x20, count: 100_000)]
            as [[UInt8]])
    func aLogWithoutAnythingHasAReport(_ bytes: [UInt8]) throws {
        let html = ReportPage([try SampleLog.report(bytes)]).html
        #expect(html.contains("there is no fix in this log"))
    }

    @Test func whatGPSPipeWritesIsNMEA() throws {
        var log = SampleLog()
        for second in 0..<5 { log.fix(second) }
        let report = try SampleLog.report(#"{"class":"VERSION","release":"3.22"}"# + "\r\n" + log.text, piece: 3)
        #expect(report.format == .nmea && report.statistics.parts.map(\.fixes) == [5])
    }

    @Test func numbersBeyondAllMeasureAreDrawnSomehow() throws {
        let numbers = ["1e308", "-1e308", "1e-300", "0", "1e18", "99999999999", "-5"]
        let lines = numbers.enumerated().map { index, number in
            #"{"timestamp":"\#(index)000-01-01T00:00:00Z","latitude":\#(index),"longitude":-\#(index),"#
                + #""altitude":\#(number),"speed":\#(number),"horizontalAccuracy":\#(number),"satellitesUsed":\#(number)}"#
        }
        #expect(ReportPage([try SampleLog.report(lines.joined(separator: "\n"))]).html.hasSuffix("</html>\n"))
        let days = (0..<400).map { day in
            let (year, month) = (1000 + day / 12, day % 12 + 1)
            return
                #"{"timestamp":"\#(year)-\#(month < 10 ? "0" : "")\#(month)-01T00:00:00Z","latitude":1,"longitude":1}"#
        }
        #expect(ReportPage([try SampleLog.report(days.joined(separator: "\n"))]).html.hasSuffix("</html>\n"))
    }

    @Test func theClockRunsBeforeTheDateIsKnown() throws {
        var log = SampleLog()
        log.add("GPGGA,235958,5900.00000,N,01800.00000,E,1,08,1.0,12.0,M,23.4,M,,")
        log.add("GPGGA,235959,5900.00000,N,01800.00000,E,1,08,1.0,12.0,M,23.4,M,,")
        for second in 0..<3 { log.fix(second) }
        let report = try log.report()
        let times = try #require(report.statistics.parts[0].times)
        #expect(report.time.second(times.lowerBound) == "2026-11-20 23:59:58")
        #expect(times.upperBound - times.lowerBound == 4000)
    }

    @Test func theTimeToTheFirstFixCountsFromTheFirstTimeStamp() throws {
        var log = SampleLog()
        for second in 5..<40 { log.void(second) }
        for second in 40..<43 { log.fix(second) }
        #expect(try log.report().timeToFirstFix == 35_000)
    }

    @Test func aClockThatWasSetByTheFirstFixSaysNothing() throws {
        var log = SampleLog()
        log.void(10)
        for second in 4000..<4003 { log.fix(second) }
        #expect(try log.report().timeToFirstFix == nil)
    }
}
