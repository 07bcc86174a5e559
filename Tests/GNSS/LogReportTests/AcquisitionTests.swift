import Testing

@testable import LogReport

/// Logs without any fix.
struct AcquisitionTests {
    /// Returns a log of that many seconds without a fix, with the signals of GPS 1, 2, ...
    private static func log(_ signals: [Int?], seconds: Int = 120) -> SampleLog {
        var log = SampleLog()
        for second in 0..<seconds {
            log.void(second)
            let satellites = signals.enumerated().map { index, signal in
                "\(index + 1),\(20 + index),\(30 * index),\(signal.map(String.init) ?? "")"
            }
            guard !signals.isEmpty else { continue }
            log.add("GPGSV,1,1,\(signals.count),\(satellites.joined(separator: ","))")
        }
        return log
    }

    private static func page(_ log: SampleLog, piece: Int = .max) throws -> String {
        ReportPage([try log.report(piece: piece)]).html
    }

    @Test func theSkyAndTheSignalsAreShownWithoutAFix() throws {
        let html = try Self.page(Self.log([42, 38, 31, 30]))
        for text in [
            "there is no fix in this log · 00:00:00 to 00:01:59 UTC", "<dt>Duration</dt><dd>1 min 59 s</dd>",
            "<dt>Fixes</dt><dd>0</dd>", "<dt>Satellites seen</dt><dd>4</dd>", "4 of them with 30 dB-Hz or more",
            "<dt>Strongest signal</dt><dd>42 dB-Hz</dd>", "data-name=\"signal\"", "data-name=\"satellites\"",
            "class=\"sky\"", "4 satellites seen, the strongest with 42 dB-Hz: enough for a fix.",
        ] {
            #expect(html.contains(text), "\(text)")
        }
        for text in ["class=\"track\"", "data-name=\"speed\"", "<dt>Distance", "<dt>Gaps", "not in the log"] {
            #expect(!html.contains(text), "\(text)")
        }
        #expect(html.contains(#"{"sections":[]}"#), "figures are of fixes")
    }

    @Test(arguments: [
        ([42, 20, 19, 18], "4 satellites seen, the strongest with 42 dB-Hz, but only 1 with 30 dB-Hz or more."),
        ([29, 20], "2 satellites seen, the strongest with 29 dB-Hz, but none with 30 dB-Hz or more."),
        ([nil], "1 satellite seen, none with a signal"), ([], "The log lists no satellites."),
    ])
    func theReasonIsSaid(_ signals: [Int?], _ sentence: String) throws {
        let html = try Self.page(Self.log(signals))
        #expect(html.contains(sentence))
    }

    @Test(arguments: [1, 7, 64, 4096]) func thePiecesMakeNoDifference(_ piece: Int) throws {
        let log = Self.log([42, 38, nil, 30], seconds: 20)
        #expect(try Self.page(log, piece: piece) == Self.page(log))
    }

    /// The clock of a receiver without a fix is set by the first satellite that it reads.
    @Test func theTimeBeforeTheReceiverSetsItsClockDoesNotCount() throws {
        var log = SampleLog()
        for second in [50_000, 50_001, 100, 101, 102] { log.void(second) }
        #expect(try Self.page(log).contains("<dt>Duration</dt><dd>2 s</dd>"))
    }

    @Test func aLogWithAFixHasNoneOfThis() throws {
        var log = Self.log([42, 38], seconds: 10)
        log.fix(10)
        let report = try log.report()
        #expect(report.acquisition == nil)
        #expect(!ReportPage([report]).html.contains("class=\"finding\""))
    }
}
