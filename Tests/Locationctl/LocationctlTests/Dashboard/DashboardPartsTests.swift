import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import LocationctlSupport
@testable import TerminalScreens

/// The small pictures of the dashboard, and the figures behind them.
@Suite struct DashboardPartsTests {
    private static let plain = TerminalCapabilities(hasColour: false)

    @Test func aSparkline() {
        let line = Sparkline(values: [0, nil, 1, 2, 7], leastRange: 1)
        #expect(line.text(.unicode) == "▁ ▂▃█")
        #expect(line.text(.ascii) == "_ .:#")
        #expect(Sparkline(values: [5, 5.1], leastRange: 7).text(.unicode) == "▁▁", "noise does not fill the line")
        #expect(Sparkline(values: [nil, nil], leastRange: 1).text(.unicode) == "  ")
        #expect(Sparkline(values: [6, 7], leastRange: 1, beginsAtZero: true).text(.unicode) == "▇█")
    }

    @Test func arrowsPointWhereTheDeviceMoves() {
        let directions: [Double?] = [0, 44, 90, 180, 271, 337.4, 359.9, nil]
        #expect(Sparkline.directions(directions, .unicode) == "↑↗→↓←↖↑ ")
    }

    @Test func theHistoryIsBounded() {
        var history = MotionHistory()
        for tenth in 0..<20_000 {
            var location = DashboardSamples.location(0)
            location.speed = Double(tenth)
            history.add(location, at: Double(tenth) / 10)
        }
        #expect(history.samples.count <= 1201)
        #expect(history.samples.last?.location.speed == 19_999)
        #expect(history.means(5, \.speed).allSatisfy { $0 != nil })
        #expect(MotionHistory().means(3, \.speed) == [nil, nil, nil])
    }

    @Test func aMeanDirectionCrossesNorth() throws {
        var history = MotionHistory()
        for (time, course) in [(0.0, 350.0), (1, 10)] {
            var location = DashboardSamples.location(0)
            location.course = course
            history.add(location, at: time)
        }
        let mean = try #require(history.directions(1, \.course)[0])
        #expect(min(mean, 360 - mean) < 1e-9)
    }

    @Test func theRateOfAReceiver() {
        var rates = FixRates()
        var receiver = ReceiverSummary(name: "a", specification: "a", state: .running, fixes: 0)
        #expect(rates.rate(of: "a") == nil)
        for second in 0..<30 {
            receiver.fixes = 5 * second
            rates.add([receiver], at: Double(second))
        }
        #expect(rates.rate(of: "a") == 5)
        receiver.fixes = 3
        rates.add([receiver], at: 30)
        #expect(rates.rate(of: "a") == nil, "a daemon that was started again")
        receiver.state = .lost
        rates.add([receiver], at: 40)
        #expect(rates.rate(of: "a") == nil)
    }

    @Test func aStripOfHours() {
        var hours = [Int](repeating: 0, count: 24)
        (hours[0], hours[20], hours[21], hours[22], hours[23]) = (1, 9, 10, 999, 1000)
        #expect(HourStrip.text(hours, width: 24, .unicode) == "▂···················▂▄▆█")
        #expect(HourStrip.text(hours, width: 24, .ascii) == "-...................-=+#")
        #expect(HourStrip.text(hours, width: 12, .unicode) == "▂·········▄█")
        #expect(HourStrip.text(hours, width: 48, .unicode).hasSuffix("▂▂▄▄▆▆██"))
    }

    @Test func theHoursOfTheClock() {
        var app = WatchedApp(key: DashboardSamples.key(DashboardSamples.maps))
        app.log = [
            DashboardSamples.deliveries(DashboardSamples.maps, hoursAgo: 0, 3),
            DashboardSamples.deliveries(DashboardSamples.maps, hoursAgo: 0, 2, background: true),
            DashboardSamples.deliveries(DashboardSamples.maps, hoursAgo: 23, 7),
            DashboardSamples.deliveries(DashboardSamples.maps, hoursAgo: 24, 9),
            DashboardSamples.deliveries(DashboardSamples.maps, hoursAgo: -1, 9),
        ]
        let hours = app.hourlyDeliveries(at: DashboardSamples.now)
        #expect(hours[23] == 5 && hours[0] == 7 && hours.reduce(0, +) == 12)
    }

    /// Attack: two names that are the same to Unicode and different in bytes are two apps.
    @Test func appsAreComparedByTheirBytes() {
        let apps = [
            DashboardSamples.app("exe:/caf\u{E9}", .authorizedAlways),
            DashboardSamples.app("exe:/cafe\u{301}", .denied),
        ]
        #expect([WatchedApp](apps: apps, sessions: [], uses: [], log: []).count == 2)
    }

    @Test func whoLooksComesFirst() {
        let names = DashboardSamples.state().apps.map(\.key.app.description)
        #expect(
            names == [
                DashboardSamples.own, DashboardSamples.maps, DashboardSamples.tracker, DashboardSamples.weather,
                DashboardSamples.game,
            ])
    }

    @Test func theSky() {
        var state = DashboardSamples.state()
        func satellite(_ elevation: Double, _ azimuth: Double, used: Bool) -> Satellite {
            var satellite = Satellite(constellation: .gps, number: 1, used: used)
            (satellite.elevation, satellite.azimuth) = (elevation, azimuth)
            return satellite
        }
        _ = state.received(
            .satellites([
                ReceiverSatellites(
                    receiver: "ttyACM0",
                    satellites: [
                        satellite(90, 0, used: true), satellite(45, 90, used: false), satellite(0, 180, used: true),
                        satellite(.nan, 10, used: true), satellite(-500, 270, used: false),
                    ])
            ]), at: 301)
        let context = ScreenContext(state: state, glyphs: .ascii, now: DashboardSamples.now, width: 80)
        let rows = TerminalSkyPlot.rows(context, width: 17, rows: 10).map(\.text)
        #expect(rows[1][rows[1].index(rows[1].startIndex, offsetBy: 8)] == "N")
        #expect(rows[5] == "g       G   g   ." || rows[5] == "g       G   g   . ", "\(rows[5])")
        #expect(rows[9].contains("G"))
    }

    @Test func signalsAreBars() {
        let context = ScreenContext(
            state: DashboardSamples.state(), glyphs: .unicode, now: DashboardSamples.now, width: 80)
        let rows = SignalPanel.rows(context, width: 30, rows: 8).map { $0.drawn(Self.plain) }
        #expect(
            rows == [
                "── SIGNALS  6 of 10 used ─────", "G GPS     3/5   █▆▅ ▁·",
                "R GLONASS 1/2   ▅ ▂", "E Galileo 2/2   ▇▆", "C BeiDou  0/1    ▃",
            ])
    }

    private static func sky(_ count: Int) -> [Satellite] {
        (0..<count).map { index in
            var satellite = Satellite(
                constellation: index % 2 == 0 ? .gps : .galileo, number: index + 1, used: index % 3 == 0)
            satellite.elevation = Double(index * 7 % 90)
            satellite.azimuth = index == 3 ? nil : Double(index * 37 % 360)
            satellite.signalStrength = index == 5 ? nil : 20 + Double(index % 30)
            return satellite
        }
    }

    @Test func aTableOfTheSatellites() {
        let context = ScreenContext(
            state: DashboardSamples.state(), glyphs: .unicode, now: DashboardSamples.now, width: 120, isLarge: true)
        let groups = SatelliteGroups.of(Self.sky(7))
        let rows = SatelliteTable.rows(groups, context, width: 40, rows: 5).map { $0.drawn(Self.plain) }
        #expect(
            rows == [
                "SAT EL  AZ dB        SAT EL  AZ dB", "G07 42 222 26 ██     E04 21   - 23 █",
                "G01  0   0 20 █      e02  7  37 21 █", "g05 28 148 24 █      e06 35 185  -", "g03 14  74 22 █",
            ])
    }

    /// Attack: a gpsd in the network sends a signal strength that no integer has, and the dashboard ends.
    @Test(arguments: [1e300, .greatestFiniteMagnitude, .infinity, .nan, -1e300, 1e18])
    func aStrengthMayBeAnyNumber(strength: Double) {
        let context = ScreenContext(
            state: DashboardSamples.state(), glyphs: .ascii, now: DashboardSamples.now, width: 120, isLarge: true)
        var sky = Self.sky(3)
        for index in sky.indices { sky[index].signalStrength = strength }
        #expect(SatelliteTable.rows(SatelliteGroups.of(sky), context, width: 40, rows: 5).count <= 5)
    }

    /// No window is too small, and no sky too full.
    @Test(arguments: [1, 14, 17, 40, 100]) func aTableStaysWithinItsRoom(width: Int) {
        let context = ScreenContext(
            state: DashboardSamples.state(), glyphs: .ascii, now: DashboardSamples.now, width: 120, isLarge: true)
        for count in [1, 2, 13, 100] {
            for height in [2, 3, 14] {
                let rows = SatelliteTable.rows(
                    SatelliteGroups.of(Self.sky(count)), context, width: width, rows: height)
                #expect(rows.count <= height && rows.allSatisfy { $0.columns <= max(width, 14) })
                let shown = rows.dropFirst().map(\.text).joined(separator: " ")
                let names = shown.matches(of: #/[GgEe]\d\d /#).count
                let more = shown.firstMatch(of: /(\d+) more/).map { Int($0.1)! } ?? 0
                #expect(names + more == count, "\(width) \(count) \(height): \(rows.map(\.text))")
            }
        }
    }

    @Test func numbersInTheSkyCoverNothing() {
        var state = DashboardSamples.state()
        let context = ScreenContext(
            state: state, glyphs: .unicode, now: DashboardSamples.now, width: 120, isLarge: true)
        let rows = TerminalSkyPlot.rows(context, width: 29, rows: 16).map(\.text).joined(separator: "\n")
        for name in ["G02", "G05", "R04", "E26", "c09"] { #expect(rows.contains(name), "\(name) in \(rows)") }
        var close = Self.sky(40)
        for index in close.indices { (close[index].elevation, close[index].azimuth) = (45, 90 + Double(index)) }
        _ = state.received(.satellites([ReceiverSatellites(receiver: "ttyACM0", satellites: close)]), at: 301)
        let full = ScreenContext(
            state: state, glyphs: .unicode, now: DashboardSamples.now, width: 120, isLarge: true)
        let lines = TerminalSkyPlot.rows(full, width: 29, rows: 16).map(\.text)
        #expect(lines.allSatisfy { DisplayText.columns($0) <= 29 })
    }

    @Test func asciiKeepsTheWidth() {
        #expect(ASCIIText.of("Maps … 48° ±3 — 地图 e\u{301}") == "Maps * 48  ~3 - ???? e")
        #expect(DisplayText.columns("地图…") == ASCIIText.of("地图…").utf8.count)
        #expect(ASCIIText.of("plain") == "plain")
    }

    @Test(arguments: [
        (["LANG": "de_AT.UTF-8"], true, true), (["LANG": "C"], true, false), ([:], true, false),
        (["LANG": "de_AT.UTF-8", "LC_ALL": "C"], true, false), (["LC_CTYPE": "C.utf8"], true, true),
        (["LC_ALL": "", "LANG": "en_US.UTF-8@x"], true, true), (["LANG": "de_AT.ISO-8859-1"], true, false),
        (["NO_COLOR": "1", "LANG": "C.UTF-8"], false, true), (["NO_COLOR": "", "LANG": "C.UTF-8"], true, true),
        (["TERM": "dumb", "LANG": "C.UTF-8"], false, true),
    ])
    func whatATerminalCan(environment: [String: String], colour: Bool, unicode: Bool) {
        let capabilities = TerminalCapabilities { environment[$0] }
        #expect(capabilities.hasColour == colour && capabilities.hasUnicode == unicode)
        #expect(capabilities.hasCursor == (environment["TERM"] != "dumb"))
        #expect(Glyphs.of(capabilities) == (unicode ? .unicode : .ascii))
    }

    @Test(arguments: [("linux", Glyphs.console), ("linux-16color", .console), ("xterm-256color", .unicode)])
    func theLinuxConsoleHasCharactersOfItsOwn(terminal: String, glyphs: Glyphs) {
        func of(_ locale: String) -> Glyphs {
            .of(TerminalCapabilities { ["TERM": terminal, "LANG": locale][$0] })
        }
        #expect(of("de_AT.UTF-8") == glyphs && of("C") == .ascii)
    }

    @Test func whatWasDropped() {
        let input = [DroppedInput(reason: .wrongChecksum, count: 2), DroppedInput(reason: .earlierTime, count: 1)]
        #expect(ReceiverText.dropped(input) == "dropped 2 wrong checksums, 1 earlier time")
        #expect(ReceiverText.dropped([]).isEmpty)
        #expect(ReceiverText.jamming(JammingReport(level: .warning, indicator: 255)) == "warning 100 %")
        #expect(ReceiverText.jamming(JammingReport(level: nil, indicator: 22)) == "8 %")
        #expect(ReceiverText.jamming(nil).isEmpty)
    }

    @Test func theCorrections() {
        var report = CorrectionsReport()
        #expect(ReceiverText.corrections(report) == "corrections")
        report.used = true
        #expect(ReceiverText.corrections(report) == "corrections in use")
        (report.station, report.distance, report.age, report.rate, report.solution) = (2003, 7400, 0.84, 9.1, .rtkFixed)
        (report.refused, report.outdated, report.faulty) = (0, 0, 0)
        var receiver = ReceiverSummary(name: "gps", specification: "gpsd:", state: .running, fixes: 1)
        receiver.corrections = report
        #expect(ReceiverText.peculiarities(receiver) == ["RTK fixed, station 2003, 7.4 km, 0.8 s, 9 messages/s"])
        (report.age, report.rate, report.solution, report.used) = (75, nil, nil, false)
        (report.refused, report.outdated, report.faulty) = (1, 2, 3)
        #expect(
            ReceiverText.corrections(report) == """
                corrections, station 2003, 7.4 km, 75 s, the receiver does not use them, 3 damaged on the way, \
                1 not for receivers, 2 too late for the line
                """)
        report.solution = .rtkFloat
        #expect(ReceiverText.corrections(report).hasPrefix("RTK float, station 2003"))
    }

    @Test func accuraciesOfCentimetres() {
        #expect(Decimal.accuracy(0.0139) == "±0.014 m" && Decimal.accuracy(0.1) == "±0.1 m")
        #expect(Decimal.accuracy(nil).isEmpty)
        #expect(Decimal.degrees(47.285211234, accuracy: 0.0139) == "47.28521123°")
        #expect(Decimal.degrees(47.285211234, accuracy: 2) == "47.285211°")
        #expect(Decimal.degrees(47.285211234, accuracy: nil) == "47.285211°")
    }

    @Test func theGuarantees() {
        var receiver = ReceiverSummary(name: "gps", specification: "gpsd:", state: .running, fixes: 1)
        #expect(ReceiverText.guarantees(receiver).isEmpty)
        receiver.protectionLevel = ProtectionLevelReport(horizontal: 5, vertical: 7.54)
        receiver.authentication = AuthenticationReport(satellites: 3, time: true, position: true)
        receiver.deadReckoning = .active
        #expect(
            ReceiverText.peculiarities(receiver) == [
                "guarantees 5.0 m, 7.5 m in height", "authentic: 3 satellites (OSNMA), time, position",
                "dead reckoning with sensors",
            ])
        receiver.authentication = AuthenticationReport(satellites: 0)
        receiver.deadReckoning = nil
        let risks: [(Double, String)] = [
            (0.05, "5 %"), (1, "100 %"), (0.000_05, "0.005 %"), (0.012, "1.2 %"), (1e-8, "0.000001 %"),
            (1e-9, "below 0.000001 %"), (-.infinity, "below 0.000001 %"), (.nan, "below 0.000001 %"),
        ]
        for (risk, text) in risks {
            receiver.protectionLevel?.risk = risk
            #expect(ReceiverText.guarantees(receiver) == ["guarantees 5.0 m, 7.5 m in height, risk \(text)"])
        }
    }
}
