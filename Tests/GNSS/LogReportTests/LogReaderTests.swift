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
        ("<?xml?><log/>", 1, "the file begins with <log>, not with <gpx>"),
        (
            "<?xml?><kml/>", 1,
            "this is a KML file: convert it first, with `gpsbabel -i kml -f FILE -o gpx -F track.gpx`"
        ),
    ])
    func gpxThatCannotBeReadIsAnError(_ text: String, _ line: Int, _ message: String) {
        #expect(throws: LogReader.Failure(line: line, message: message)) { try SampleLog.report(text) }
    }

    private func gpx(_ points: [String]) -> String {
        "<gpx version=\"1.1\"><trk><trkseg>\n\(points.joined(separator: "\n"))\n</trkseg></trk></gpx>"
    }

    /// A point that far north, in thousandths of a degree, with that time.
    private func point(_ north: Int, _ time: String?, _ more: String = "<ele>500</ele>") -> String {
        let time = time.map { "<time>\($0)</time>" } ?? ""
        return "<trkpt lat=\"\(47 + Double(north) / 1000)\" lon=\"8.000000\">\(more)\(time)</trkpt>"
    }

    private func ten(_ seconds: Int) -> String { "2026-03-23T10:00:\(seconds < 10 ? "0" : "")\(seconds)" }

    /// time-without-zone.gpx, time-offset-without-colon.gpx
    @Test(arguments: [
        (".250000", 250), (".250", 250), ("Z", 0), (".25Z", 250), (",250", 250), (".", 0), (" UTC", 0), ("+0000", 0),
        ("+00", 0), ("+00:00", 0), ("-0000", 0), ("Z[UTC]", 0), ("+00:00[Europe/London]", 0), (" +0000", 0),
    ])
    func timesOfGPX(_ ending: String, _ milliseconds: Int64) throws {
        let report = try SampleLog.report(gpx((0..<6).map { point($0, ten(10 * $0) + ending) }))
        let part = report.statistics.parts[0]
        let start: Int64 = 1_774_260_000_000
        #expect(part.times == start + milliseconds...start + 50_000 + milliseconds)
        #expect(part.fixes == 6 && abs(part.odometer.distance - 556) < 0.5 && report.skipped.isEmpty)
    }

    @Test(
        arguments: [
            ("2026-03-23T12:00:00+0200", 36_000_000), ("2026-03-23T12:00:00+02", 36_000_000),
            ("2026-03-23T24:00:00Z", 86_400_000), ("2026-03-22T24:00:00.000+01:00", -3_600_000),
            ("2026-03-23T10:00Z", 36_000_000), ("2026-03-23 10:00:00", 36_000_000),
            ("2026-03-23T05:30:00-04:30[America/Caracas]", 36_000_000), (" 2026-03-23T10:00:00.5Z ", 36_000_500),
            ("2026-03-23T10:00:00[Europe/Berlin]", nil), ("2026-03-23", nil), ("23.03.2026 10:00:00", nil),
            ("2026-03-23T24:00:01Z", nil), ("2026-03-23T10:00:00+2", nil), ("2026-03-23T10:00:00.5.5", nil),
            ("10:00:00", nil), ("now", nil), ("", nil), ("2026-13-23T10:00:00Z", nil), ("2026-03-23T10:00:00 CET", nil),
        ] as [(String, Int64?)])
    func aTimeOfGPX(_ text: String, _ expected: Int64?) {
        #expect(GPXTime.milliseconds(text) == expected.map { 1_774_224_000_000 + $0 })
    }

    @Test func aTimeThatCannotBeReadIsCounted() throws {
        let report = try SampleLog.report(gpx([point(0, ten(0)), point(1, "noon"), point(2, ten(2))]))
        #expect(report.statistics.parts[0].fixes == 3)
        #expect(report.skipped.map(\.key) == ["unreadableTimes"] && report.skipped.map(\.count) == [1])
        #expect(!ReportPage([report]).html.contains("fixes without a time"))
    }

    /// ele-empty.gpx, pause-markers-lat100.gpx
    @Test func valuesAndPointsThatCannotBeReadAreCounted() throws {
        var points = (0..<6).map { point($0, ten(10 * $0), $0 == 3 ? "<ele></ele>" : "<ele>500</ele>") }
        points.insert("<trkpt lat=\"100\" lon=\"0\"><time>\(ten(25))Z</time></trkpt>", at: 3)
        points.insert("<trkpt lat=\"200\" lon=\"0\"><time>\(ten(28))Z</time></trkpt>", at: 3)
        let report = try SampleLog.report(gpx(points))
        let part = report.statistics.parts[0]
        #expect(part.fixes == 6 && abs(part.odometer.distance - 556) < 0.5)
        #expect(report.skipped.map(\.key) == ["unreadablePoints", "unreadableValues"])
        #expect(report.skipped.map(\.count) == [2, 1])
    }

    /// untimed-track.gpx, all-times-1970.gpx
    @Test(arguments: [nil, "1970-01-01T00:00:00Z", "2026-03-23T10:00:00Z"] as [String?])
    func aTrackWithoutTimesHasALength(_ time: String?) throws {
        let report = try SampleLog.report(gpx((0..<20).map { point($0, time) }))
        let part = report.statistics.parts[0]
        #expect(report.statistics.parts.count == 1 && part.fixes == 20 && part.times == nil)
        #expect(abs(part.odometer.distance - 2112) < 4)
        #expect(part.total[.altitude].mean == 500)
        #expect(report.skipped.map(\.key) == (time == nil ? [] : ["sharedTimes"]))
    }

    /// reverse-order.gpx: the newest point first.
    @Test func aTrackInReverseHasALength() throws {
        let report = try SampleLog.report(gpx((0..<6).map { point($0, ten(50 - 10 * $0)) }))
        let part = report.statistics.parts[0]
        #expect(report.statistics.parts.count == 1 && part.fixes == 6)
        #expect(abs(part.odometer.distance - 556) < 0.5)
        #expect(report.skipped.map(\.key) == ["reversedTimes"] && report.skipped.map(\.count) == [6])
    }

    /// One point that goes back is a receiver's mistake.
    @Test func aTrackInOrderIsNotReversed() throws {
        let report = try SampleLog.report(gpx([0, 10, 5, 20, 30, 40].enumerated().map { point($0, ten($1)) }))
        #expect(report.skipped.map(\.key) == ["backwardTimes"] && report.statistics.parts[0].fixes == 5)
    }

    @Test func partOfThePointsHasATime() throws {
        let report = try SampleLog.report(gpx((0..<20).map { point($0, $0 % 3 == 0 ? ten($0) : nil) }))
        #expect(abs(report.statistics.parts[0].odometer.distance - 2112) < 4)
        #expect(report.statistics.parts[0].times != nil && report.statistics.parts[0].fixes == 20)
    }

    /// two-segments-apart.gpx: the way between two segments was not travelled.
    @Test func segmentsAreNotJoined() throws {
        for between in ["</trkseg><trkseg>", "</trkseg></trk><trk><trkseg>"] {
            for isTimed in [true, false] {
                let first = (0..<6).map { point($0, isTimed ? ten(10 * $0) : nil) }
                let second = (0..<6).map { point(1000 + $0, isTimed ? "2026-03-23T12:00:\(10 + $0)" : nil) }
                let report = try SampleLog.report(gpx(first + [between] + second))
                let part = report.statistics.parts[0]
                #expect(part.fixes == 12 && abs(part.odometer.distance - 1112) < 2)
                #expect(part.outline.points.count { $0.isStart } == 2)
                #expect(part.outliers.farthest.count == 0)
            }
        }
    }

    /// A second track that was recorded before the first one.
    @Test func tracksInAnyOrder() throws {
        let first = (0..<6).map { point($0, ten(10 * $0)) }
        let second = (0..<6).map { point($0, "2026-03-22T12:00:\(10 + $0)") }
        let report = try SampleLog.report(gpx(first + ["</trkseg><trkseg>"] + second))
        #expect(report.statistics.parts.map(\.fixes) == [6, 6] && report.skipped.isEmpty)
    }

    @Test func severalPointsASecond() throws {
        let report = try SampleLog.report(gpx((0..<60).map { point($0, ten($0 / 6)) }))
        let part = report.statistics.parts[0]
        #expect(part.fixes == 60 && report.skipped.isEmpty && part.outliers.farthest.count == 0)
        #expect(abs(part.odometer.distance - 59 * 111.2) < 10)
    }

    /// utf16.nmea
    @Test func utf16() throws {
        var log = SampleLog()
        for second in 0..<4 { log.fix(second) }
        var bytes: [UInt8] = [0xFF, 0xFE]
        for unit in log.text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        for piece in [1, 7, 10_000] {
            let report = try SampleLog.report(bytes, piece: piece)
            #expect(report.format == .nmea && report.statistics.parts.map(\.fixes) == [4] && report.skipped.isEmpty)
        }
        var track: [UInt8] = [0xFE, 0xFF]
        for unit in gpx([point(0, ten(0))]).utf16 { track += [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        #expect(try SampleLog.report(track).format == .gpx)
    }

    @Test func otherFormatsAreNamed() {
        let failure = #expect(throws: LogReader.Failure.self) {
            try SampleLog.report([0x1F, 0x8B, 8, 0] + [UInt8](repeating: 0, count: 100))
        }
        #expect(failure?.message.hasPrefix("this is a file compressed with gzip") == true)
    }

    /// A log of GGA alone, and the result of decode.
    @Test func aLogWithoutADateHasALength() throws {
        let log = (0..<10).map { second in
            let body = "GPGGA,12000\(second),470\(second).0000,N,00800.0000,E,1,08,0.9,500.0,M,48.0,M,,"
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
        }
        let untimed = (0..<10).map { "<trkpt lat=\"\(47 + Double($0) / 60)\" lon=\"8\"/>" }
        let timed = try SampleLog.report(log.joined()).statistics.parts
        let other = try SampleLog.report(gpx(untimed)).statistics.parts
        #expect(abs(other[0].odometer.distance - 16_680) < 40)
        #expect(timed[0].fixes == 10)
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
