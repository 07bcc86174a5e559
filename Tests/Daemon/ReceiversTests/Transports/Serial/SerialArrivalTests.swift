import Devices
import LocationModel
import TestSupport
import Testing
import TimeTransfer

@testable import Receivers

/// The arrivals of epochs at a real serial port.
@Suite struct SerialArrivalTests {
    private static func epoch(_ second: Int) -> String {
        SentenceFixture.sentence("GPRMC,12000\(second).00,A,4807.038,N,01131.000,E,0.0,,231126,,,A")
            + SentenceFixture.sentence("GPGGA,12000\(second).00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,47.0,M,,")
    }

    /// The end of each epoch is the silence after it, so that there is a pause before the next one.
    @Test func eachFixIsFollowedByItsArrival() async throws {
        let wire = try Wire()
        let probe = try await ReceiverProbe(.serial(path: wire.path, baudRate: 9600), wallClock: { 1_795_000_000 })
        try await withReceiver(probe) { probe in
            for second in 0..<3 {
                try await wire.send(Self.epoch(second))
                try await probe.wait(for: "arrival \(second)") { $0.count { $0.arrival != nil } > second ? true : nil }
            }
            let events = probe.events.filter { $0 != .found }
            try #require(events.count == 6)
            for (second, index) in stride(from: 0, to: 6, by: 2).enumerated() {
                #expect(events[index].fix != nil)
                let arrival = try #require(events[index + 1].arrival)
                // The bytes that follow the opening may be the end of an epoch.
                guard second > 0 else {
                    #expect(arrival == nil)
                    continue
                }
                #expect(arrival?.statedTime == (1_795_435_200 + Int64(second)) * 1_000_000_000)
                #expect(arrival?.clocks.wall == 1_795_000_000)
                #expect(arrival?.origin == .satellites)
            }
        }
    }

    @Test func withoutAWallClockNoArrivalIsReported() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            for second in 0..<3 {
                try await wire.send(Self.epoch(second))
                try await probe.wait(for: "fix \(second)") { $0.fixes(second + 1) }
            }
            #expect(!probe.events.contains { $0.arrival != nil })
        }
    }
}

extension ReceiverEvent {
    fileprivate var arrival: EpochArrival?? { if case .arrival(let arrival) = self { .some(arrival) } else { nil } }
}
