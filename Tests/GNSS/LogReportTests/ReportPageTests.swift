import Testing

@testable import LogReport

struct ReportPageTests {
    /// A log with all that a report shows: a stand-still, a gap, an outlier, and a sky.
    static var log: SampleLog {
        var log = SampleLog()
        for second in 0..<5 { log.void(second) }
        for second in 5..<200 {
            log.fix(second)
            if second % 5 == 0 { log.sky(azimuth: second) }
        }
        for second in 230..<400 {
            log.fix(second, north: second == 300 ? 800 : Double(second - 230) * 5, east: 20, knots: 9.7)
        }
        return log
    }

    @Test func itHasAllFigures() throws {
        let html = ReportPage([try Self.log.report()]).html
        for text in [
            "<h2>sample.nmea</h2>", "2026-11-21 00:00:05</time> to <time data-at=\"1795219599000\">00:06:39</time>",
            "Time to first fix</dt><dd>5 s",
            "<dt>Gaps</dt><dd>1</dd><dd class=\"detail\">the longest 31 s", "<dt>Outliers</dt><dd>1</dd>",
            "CEP50</dt><dd>0 m", "GPS 7, 41 dB-Hz, used 100 %", "G7</text>",
            "for which the receiver reported no fix",
            "data-name=\"speed\"", "data-name=\"signal\"", "class=\"outlier\"", "class=\"gap\"", ">N</div>",
        ] {
            #expect(html.contains(text), "\(text)")
        }
    }

    @Test func itLoadsNothing() throws {
        let html = ReportPage([try Self.log.report()]).html
        #expect(html.contains("default-src 'none'"))
        for text in ["http:", "https:", "src=", "href=", "url(", "@import", "fetch(", "XMLHttp", "//"] {
            #expect(!html.contains(text), "\(text)")
        }
    }

    @Test func severalLogsHaveContents() throws {
        let reports = try ["a.nmea", "<b>.nmea"].map { try Self.log.report(name: $0) }
        let html = ReportPage(reports).html
        #expect(html.contains(##"<a href="#log-1">a.nmea</a>"##))
        #expect(html.contains(##"<a href="#log-2">&lt;b&gt;.nmea</a> <span class="unit">NMEA 0183 · "##))
        #expect(html.contains(#"<section class="log" id="log-2">"#))
        #expect(html.split(separator: "href=").dropFirst().allSatisfy { $0.hasPrefix("\"#log-") })
        #expect(!ReportPage([reports[0]]).html.contains("<nav"))
    }

    /// Attack: the name of a log is a script for the one who opens the report.
    @Test(arguments: [
        "<script>alert(1)</script>", "\"onload=\"alert(1)", "'&lt;", "</script><script>alert(1)</script>",
        "</title><b>",
        "<!--", "a\u{202E}b\u{0}\u{1B}[31m",
    ])
    func namesAreNotMarkup(_ name: String) throws {
        let plain = ReportPage([try Self.log.report(name: "x")]).html
        let html = ReportPage([try Self.log.report(name: name)]).html
        #expect(html.count { $0 == "<" } == plain.count { $0 == "<" })
        #expect(!html.contains("\u{1B}") && !html.contains("\u{0}"))
        #expect(html.contains("<h2>\(Markup.escaped(name))</h2>"))
    }

    @Test func markupIsEscaped() {
        #expect(
            Markup.escaped("<a b=\"c\" d='e'>&amp;\u{202E}")
                == "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;\u{FFFD}")
        #expect(Markup.data("{\"a\":\"</script>\"}", attributes: "x").contains("{\"a\":\"\\u003c/script>\"}"))
    }

    @Test func errorsOfGPXAreNotMarkup() throws {
        let report = try SampleLog.report("<gpx><trkpt lat='1' lon='2'/><script>")
        let html = ReportPage([report]).html
        #expect(html.contains("the file ends before &lt;/gpx&gt;"))
    }

    @Test func aTimeThatLeapsBeginsAPart() throws {
        var log = SampleLog()
        for second in 0..<10 { log.fix(second, date: "060180") }
        for second in 0..<10 { log.fix(second) }
        let html = ReportPage([try log.report()]).html
        #expect(html.contains("sample.nmea, part 1 of 2") && html.contains("sample.nmea, part 2 of 2"))
    }

    @Test func thePartsWithTheFewestFixesAreDroppedAndCounted() throws {
        var log = SampleLog()
        for part in 1...7 {
            for second in 0..<(10 * part) { log.fix(second, date: "0101\(80 + part)") }
        }
        let statistics = try log.report().statistics
        #expect(statistics.parts.map(\.fixes) == [40, 50, 60, 70])
        #expect(statistics.droppedParts == 3 && statistics.droppedFixes == 60)
    }

    /// The worst case: as many logs as a report may have, each with as many parts, points, satellites, gaps and
    /// outliers as are kept.
    @Test func thePageIsBelowFiveMegabytes() throws {
        var random = UInt64(1)
        func next(_ bound: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % bound
        }
        var log = SampleLog()
        for part in 1...LogStatistics.maximumParts {
            var second = 0
            for step in 0..<2000 {
                second += step % 50 == 0 ? 12 : 1
                log.fix(
                    second, north: Double(next(100_000)), east: Double(next(50_000)),
                    knots: step % 7 == 0 ? 0 : 600_000,
                    date: "0101\(80 + 2 * part)")
                guard step % 8 == 0 else { continue }
                for satellite in stride(from: 1, to: 64, by: 4) {
                    let body = (satellite..<satellite + 4).map { "\($0),\(next(90)),\(next(360)),\(next(50))" }
                    log.add(
                        "\(["GP", "GL", "GA", "GB"][step / 8 % 4])GSV,16,\(satellite / 4 + 1),64,"
                            + body.joined(separator: ","))
                }
            }
        }
        let report = try log.report()
        #expect(report.statistics.parts.count == LogStatistics.maximumParts)
        let bytes = ReportPage(Array(repeating: report, count: ReportPage.maximumLogs)).html.utf8.count
        #expect(bytes < 5_000_000)
        #expect(ReportPage([report]).html.utf8.count < 5_000_000)
    }

    @Test func aTrackAroundThePoleAndTheAntimeridianIsDrawn() throws {
        let lines = (0..<36).map { step in
            let minute = step < 10 ? "0\(step)" : "\(step)"
            return #"{"timestamp":"2026-11-21T00:\#(minute):00Z","latitude":89.99,"longitude":\#(step * 10 - 180)}"#
        }
        let html = ReportPage([try SampleLog.report(lines.joined(separator: "\n"))]).html
        #expect(html.contains("3.9 km × ") || html.contains("2.4"), "a circle of 2.2 km")
    }
}
