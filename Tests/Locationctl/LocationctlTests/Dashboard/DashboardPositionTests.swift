import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import LocationctlSupport
@testable import TerminalScreens

/// The dashboard's texts about an old or missing position.
@Suite struct DashboardPositionTests {
    private static let plain = TerminalCapabilities(hasColour: false)

    private static func text(
        _ state: DashboardState, columns: Int = 80, at time: Double, isPrinted: Bool = false
    ) -> String {
        DashboardSamples.screen(state, columns: columns, plain, at: time, isPrinted: isPrinted).rows.map(\.text)
            .joined(separator: "\n")
    }

    /// Returns the state of a program that waits for its first fix.
    private static func waiting(_ receivers: [ReceiverSummary], _ signals: [Double?] = []) -> DashboardState {
        var state = DashboardState(ownApp: DashboardSamples.key(DashboardSamples.own))
        var lists = DashboardSamples.lists
        lists.receivers = receivers
        let satellites = signals.enumerated().map { index, signal in
            var satellite = Satellite(constellation: .gps, number: index + 1, used: false)
            satellite.signalStrength = signal
            return satellite
        }
        let events: [DashboardEvent] = [
            .connected, .authorization(DashboardSamples.fullAuthorization), .lists(lists), .receivers(receivers),
            .satellites([ReceiverSatellites(receiver: "gps", satellites: satellites)]),
        ]
        for event in events { _ = state.received(event, at: 10) }
        return state
    }

    private static func receiver(_ status: ReceiverStatus, _ condition: ReceiverCondition? = nil) -> ReceiverSummary {
        var receiver = ReceiverSummary(name: "gps", specification: "serial:/dev/gps", state: status, fixes: 0)
        receiver.condition = condition
        return receiver
    }

    // MARK: An old position

    @Test func anOldPositionIsDimmedAndHasItsAge() throws {
        let state = DashboardSamples.state([.update(Update(event: .receiverLost, location: nil))])
        #expect(state.isLocationOld && state.secondsWithoutLocation(at: 342) == 43)
        let rows = DashboardSamples.screen(state, TerminalCapabilities(), at: 342).rows
        let place = try #require(rows.first { $0.text.contains("48.208792° N") })
        #expect(place.pieces.first == TextRow.Piece(text: "48.208792° N  16.373127° E", style: .hint))
        let origin = try #require(rows.first { $0.text.hasPrefix("last fix 12:04:59, 43 s ago") })
        #expect(origin.pieces.first?.style == .warning)
        for label in ["Accuracy", "Speed", "Course", "Altitude"] {
            let row = try #require(rows.first { $0.text.hasPrefix(label) })
            #expect(row.pieces.first?.style == .hint && row.pieces.first!.text.count > 20, "\(label)")
        }
    }

    @Test func aWideWindowSaysWhyAPositionIsOld() {
        let state = DashboardSamples.state([.update(Update(event: .receiverLost, location: nil))])
        let wide = Self.text(state, columns: 200, at: 500)
        #expect(wide.contains("last fix 12:04:59, 3 min 21 s ago: no receiver has a fix."), "\(wide)")
        #expect(Self.text(state, at: 500).contains("last fix 12:04:59, 3 min 21 s ago"))
    }

    @Test func aNewFixIsNotOld() {
        var state = DashboardSamples.state([.update(Update(event: .receiverLost, location: nil))])
        _ = state.received(.update(Update(event: .location, location: DashboardSamples.location(310))), at: 310)
        #expect(!state.isLocationOld && state.secondsWithoutLocation(at: 320) == nil)
        #expect(!Self.text(state, at: 320).contains("ago"))
    }

    // MARK: Waiting

    @Test(arguments: [
        (0.0, "0 s"), (59.9, "59 s"), (60, "1 min"), (70, "1 min 10 s"), (600, "10 min"), (7199, "119 min"),
        (7200, "2 h"), (200_000, "2 days"), (.infinity, "11574 days"), (-5, "0 s"),
    ])
    func durations(seconds: Double, text: String) { #expect(FixSearchText.duration(seconds) == text) }

    @Test func waitingSaysSinceWhenAndWhy() {
        let weak = Self.waiting([Self.receiver(.searching, .noFix)], [30, 22, nil, 18])
        #expect(
            FixSearchText.sentence(weak, at: 80)
                == "Waiting for a fix, 1 min 10 s: 4 satellites seen, the strongest 30 dB-Hz; a first fix needs 4 of "
                + "about 30 or more, under open sky.")
        let strong = Self.waiting([Self.receiver(.searching, .noFix)], [40, 38, 33, 31])
        #expect(
            FixSearchText.sentence(strong, at: 15)
                == "Waiting for a fix, 5 s: 4 satellites seen, the strongest 40 dB-Hz; that is enough, and takes up to "
                + "15 minutes after a long time off.")
    }

    @Test(arguments: [
        ([], "no receiver is plugged in, and none is configured"), ([receiver(.stopped)], "no receiver is open"),
        ([receiver(.lost)], "gps is lost"), ([receiver(.connecting)], "gps is being opened"),
        ([receiver(.lost), receiver(.searching, .nothing)], "gps: nothing arrives"),
        ([receiver(.searching, .noSatellites)], "no satellite seen; a first fix needs open sky"),
    ])
    func theReasonIsThatOfTheReceiver(receivers: [ReceiverSummary], reason: String) {
        #expect(FixSearchText.sentence(Self.waiting(receivers), at: 12) == "Waiting for a fix, 2 s: \(reason).")
    }

    /// Without the management socket nothing is known about receivers.
    @Test func withoutReceiversThereIsNoReason() {
        var state = DashboardState()
        for event in [.connected, .authorization(DashboardSamples.fullAuthorization)] as [DashboardEvent] {
            _ = state.received(event, at: 0)
        }
        _ = state.received(.managementFailed("closed"), at: 0)
        #expect(FixSearchText.sentence(state, at: 3) == "Waiting for a fix, 3 s.")
    }

    // MARK: Not shown

    @Test(arguments: [
        (DashboardState.PositionDisplay.declined, "Not shown, with --no-position."),
        (.ofOtherUser, "Not shown, with --uid: locationctl is not an app of that user."),
        (.printed, "Not shown on a screen that is printed once: a position needs a running"),
    ])
    func whyThePositionIsNotShown(display: DashboardState.PositionDisplay, text: String) {
        var state = DashboardState(positionDisplay: display)
        for event in [.connected, .lists(DashboardSamples.lists)] as [DashboardEvent] {
            _ = state.received(event, at: 0)
        }
        let printed = Self.text(state, at: 0, isPrinted: true)
        #expect(printed.contains(text), "\(printed)")
        #expect(!printed.contains("SKY") && !printed.contains("SIGNALS"), "no empty circle")
        _ = state.received(.receivers(DashboardSamples.receivers), at: 0)
        _ = state.received(.satellites(DashboardSamples.satellites), at: 0)
        #expect(Self.text(state, at: 0, isPrinted: true).contains("SKY"), "a sky that is not empty")
    }
}
