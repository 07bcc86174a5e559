import Testing

@testable import LogReport

/// The words of a report are true.
struct PageClaimsTests {
    private static func page(_ log: SampleLog) throws -> String { ReportPage([try log.report()]).html }

    /// Returns a log of a minute with satellites and, if wanted, the list of those that were used.
    private static func sky(isUseKnown: Bool) -> SampleLog {
        var log = SampleLog()
        for second in 0..<60 {
            log.fix(second)
            if isUseKnown { log.sky(azimuth: 10) } else { log.add("GPGSV,1,1,02,07,45,010,41,09,10,200,33") }
        }
        return log
    }

    @Test func withoutAListOfTheUsedSatellitesNoneIsSaidToBeUsed() throws {
        let html = try Self.page(Self.sky(isUseKnown: false))
        for text in ["Signal of all satellites", "does not say which satellites were used", "<td>2</td><td>–</td>"] {
            #expect(html.contains(text), "\(text)")
        }
        #expect(!html.contains("filled if it was used") && !html.contains("used 0 %"))
        let known = try Self.page(Self.sky(isUseKnown: true))
        #expect(known.contains("Signal of the used satellites") && known.contains("<td>2</td><td>1</td>"))
        #expect(known.contains("filled if it was used") && !known.contains("does not say which"))
    }

    @Test func oneFixHasNoCharts() throws {
        var log = SampleLog()
        log.fix(0)
        let html = try Self.page(log)
        #expect(
            !html.contains("class=\"charts\"") && !html.contains("class=\"data\"") && html.contains("class=\"track\""))
    }

    @Test func quantitiesThatTheLogDoesNotHaveAreOneSentence() throws {
        let lines = (10..<20).map { #"{"timestamp":"2026-11-21T00:00:\#($0)Z","latitude":1,"longitude":2,"speed":3}"# }
        let html = ReportPage([try SampleLog.report(lines.joined(separator: "\n"))]).html
        #expect(
            html.contains(
                "Not in the log: altitude above mean sea level, horizontal accuracy, 68 %, satellites, signal of all "
                    + "satellites."))
        #expect(html.contains("data-name=\"speed\"") && !html.contains("data-name=\"altitude\""))
    }

    /// The spread of an hour at one place is not a way.
    @Test func aDeviceThatStandsStillHasDotsAndRings() throws {
        var log = SampleLog()
        for second in 0..<300 { log.fix(second, north: Double(second * 7 % 5), east: Double(second * 3 % 7)) }
        let html = try Self.page(log)
        #expect(
            html.contains("class=\"way spread\"") && html.contains("CEP50 and CEP95")
                && html.contains("class=\"rings\""))
        #expect(html.contains("class=\"arrows\" d=\"\"") && !html.contains("class=\"accuracy"))
        let way = try #require(html.firstMatch(of: /class="way spread" d="([^"]*)"/)?.1)
        #expect(way.wholeMatch(of: /(M\d+ \d+h0)+/) != nil)
        #expect(!(try Self.page(ReportPageTests.log)).contains("way spread\""))
    }

    @Test func whatThereIsNoneOfIsOneLine() throws {
        var log = SampleLog()
        for second in 0..<60 { log.fix(second, north: Double(second) * 10, knots: 20) }
        let html = try Self.page(log)
        #expect(html.contains("<p>No stand-stills, gaps or outliers. Nothing was skipped.</p>"))
        #expect(!html.contains("<h3>") && html.contains("<summary>Definitions</summary>"))
        let full = try Self.page(ReportPageTests.log)
        for heading in ["Where it stood still", "Gaps", "Outliers", "Skipped, and why"] {
            #expect(full.contains("<h3>\(heading)</h3>"), "\(heading)")
        }
        #expect(!full.contains("Nothing was skipped") && !full.contains("<p>No "))
    }

    @Test func whatIsNotCountedIsSaid() throws {
        let html = try Self.page(ReportPageTests.log)
        #expect(html.contains("moves under 10 m not counted"))
        #expect(html.contains("This page loads nothing and sends nothing."))
    }
}
