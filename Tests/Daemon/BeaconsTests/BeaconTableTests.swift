import LocationModel
import TestSupport
import Testing

@testable import Beacons

@Suite struct BeaconTableTests {
    private let wallClock = Timestamp(millisecondsSince1970: 1_800_000_000_000)

    /// Returns a table of the beacons that satisfy constraints.
    private func makeTable(_ patterns: Set<BeaconPattern> = [BeaconSamples.pattern()]) -> BeaconTable {
        var table = BeaconTable()
        table.keep(patterns)
        return table
    }

    private func beacons(
        _ table: inout BeaconTable, _ pattern: BeaconPattern = BeaconSamples.pattern(), at now: Double
    ) -> [Beacon] {
        table.beacons(matching: pattern, at: now, wallClock: wallClock).map(\.beacon)
    }

    @Test(arguments: [(-39.0, 0.1), (-59, 1), (-65, 2), (-79, 10), (-85, 20)])
    func theDistanceFollowsTheLossInFreeSpace(_ rssi: Double, _ metres: Double) {
        let distance = BeaconTrack.distance(rssi: rssi, measuredPower: -59)
        #expect(abs(distance / metres - 1) < 0.01)
        #expect(abs(BeaconTrack.strength(at: metres, measuredPower: -59) - rssi) < 0.1)
    }

    @Test func theMeanLeavesOutFadingAndReflections() {
        let values = Array(repeating: -60.0, count: 18) + [-95, -20]
        #expect(BeaconTrack.trimmedMean(values) == -60)
        #expect(BeaconTrack.trimmedMean([-60, -70]) == -65)
    }

    /// A beacon that does not move, with noise of 4 dB and a tenth of the packets in a fade of 15 dB.
    @Test func aStillBeaconIsWithinAFactorOfOneAndAHalfAfterFiveSeconds() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        for metres in [0.5, 1, 2, 5, 10] {
            var table = makeTable()
            var outliers = 0
            for packet in 0..<600 {
                let now = Double(packet) / 10
                let noise = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) } * 4
                let fade = Int.random(in: 0..<10, using: &random) == 0 ? -15.0 : 0
                let rssi = BeaconTrack.strength(at: metres, measuredPower: -59) + noise + fade
                table.receive(BeaconSamples.advertisement(), rssi: rssi.rounded(), at: now)
                guard packet >= 50, packet % 10 == 0 else { continue }
                let distance = try #require(beacons(&table, at: now).first?.accuracy)
                if !(metres / 1.5...metres * 1.5).contains(distance) { outliers += 1 }
            }
            // Of 55 reports. Sometimes, more packets than a tenth fade.
            #expect(outliers <= 5, "\(metres) m, seed \(seed)")
        }
    }

    @Test func theNearestBeaconComesFirstAndAnUnknownDistanceLast() {
        let (one, none) = (BeaconSamples.pattern(major: 1, minor: 1), BeaconSamples.pattern(major: 2))
        var table = makeTable([BeaconSamples.pattern(), one, none])
        table.receive(BeaconSamples.advertisement(1, 1), rssi: -80, at: 0)
        table.receive(BeaconSamples.advertisement(1, 2), rssi: nil, at: 0)
        table.receive(BeaconSamples.advertisement(1, 3), rssi: -50, at: 0)
        let list = beacons(&table, at: 0.5)
        #expect(list.map(\.minor) == [3, 1, 2])
        #expect(list.map(\.proximity) == [.immediate, .far, .unknown])
        #expect(list.map(\.rssi) == [-50, -80, nil])
        #expect(list[2].accuracy == nil)
        #expect(list[0].timestamp == Timestamp(millisecondsSince1970: 1_799_999_999_500))
        #expect(beacons(&table, one, at: 0.5).map(\.minor) == [1])
        #expect(beacons(&table, none, at: 0.5).isEmpty)
    }

    @Test func theStrengthIsTheMeanOfTheLastSecond() {
        var table = makeTable()
        for (time, rssi) in [(0.0, -50.0), (1.5, -60), (2, -64)] {
            table.receive(BeaconSamples.advertisement(), rssi: rssi, at: time)
        }
        #expect(beacons(&table, at: 2.1).first?.rssi == -62)
    }

    @Test func aBeaconOnABorderKeepsItsProximity() {
        #expect(BeaconTrack.proximity(at: 0.55, before: .immediate) == .immediate)
        #expect(BeaconTrack.proximity(at: 0.55, before: .near) == .near)
        #expect(BeaconTrack.proximity(at: 0.45, before: .near) == .near)
        #expect(BeaconTrack.proximity(at: 0.4, before: .near) == .immediate)
        #expect(BeaconTrack.proximity(at: 3.5, before: .near) == .near)
        #expect(BeaconTrack.proximity(at: 3.7, before: .near) == .far)
        #expect(BeaconTrack.proximity(at: 2.6, before: .far) == .far)
        #expect(BeaconTrack.proximity(at: 2.4, before: .far) == .near)
        #expect(BeaconTrack.proximity(at: 2.9, before: .unknown) == .near)
        #expect(BeaconTrack.proximity(at: 0.1, before: .far) == .immediate)
        #expect(BeaconTrack.proximity(at: 30, before: .immediate) == .far)
    }

    @Test func aSilentBeaconIsUnknownAndThenGone() {
        var table = makeTable()
        for tenth in 0...10 { table.receive(BeaconSamples.advertisement(), rssi: -60, at: Double(tenth) / 10) }
        #expect(beacons(&table, at: 5.9).first?.proximity == .near)
        #expect(beacons(&table, at: 6.1).first?.proximity == .unknown)
        #expect(beacons(&table, at: 6.1).first?.rssi == nil)
        #expect(beacons(&table, at: 10.9).count == 1)
        #expect(beacons(&table, at: 11.1).isEmpty)
        #expect(table.count(BeaconSamples.pattern()) == 0)
    }

    /// An adapter that drops repeated packets passes on one in each round of discovery.
    @Test func aBeaconThatIsHeardOnceInARoundStaysKnown() {
        var table = makeTable()
        for round in 0..<6 {
            let start = Double(round) * 10.24
            table.receive(BeaconSamples.advertisement(), rssi: -60, at: start)
            for second in 1...10 {
                #expect(beacons(&table, at: start + Double(second)).first?.proximity == .near, "\(round), \(second)")
            }
        }
    }

    /// Attack: a device nearby sends another identity in each packet.
    @Test func manyIdentitiesDoNotFillTheMemory() {
        let other = BeaconSamples.pattern(major: 9)
        var table = makeTable([BeaconSamples.pattern(), other])
        table.receive(BeaconSamples.advertisement(9, 9), rssi: -50, at: 0)
        for number in 0..<100_000 {
            let advertisement = BeaconSamples.advertisement(UInt16(number >> 16), UInt16(truncatingIfNeeded: number))
            table.receive(advertisement, rssi: -60, at: Double(number) / 10_000)
            // The beacon that is really there sends fifty times a second.
            if number % 200 == 0, number < 50_000 || number >= 99_000 {
                table.receive(BeaconSamples.advertisement(9, 9), rssi: -50, at: Double(number) / 10_000)
            }
            // While it is silent, the flood does not reach the list of those who want only it.
            if number == 90_000 { #expect(beacons(&table, other, at: 9).map(\.minor) == [9]) }
        }
        #expect(table.count(BeaconSamples.pattern()) == BeaconTable.maximumCount)
        #expect(table.count(other) == 1)
        let list = beacons(&table, at: 10)
        #expect(list.count == BeaconTable.maximumReported)
        #expect(list.first?.major == 9)
    }

    /// One decibel is 12 % of the distance: more digits would be made up.
    @Test(arguments: [
        (0.0123, 0.012), (0.3456, 0.35), (0.999, 1), (1, 1), (2.345, 2.3), (9.96, 10), (23.4, 23), (123.4, 123),
    ])
    func aDistanceHasTwoDigits(_ distance: Double, _ rounded: Double) {
        #expect(BeaconTrack.rounded(distance) == rounded)
        var table = makeTable([BeaconSamples.pattern()])
        let rssi = BeaconTrack.strength(at: distance, measuredPower: -59)
        table.receive(BeaconSamples.advertisement(), rssi: rssi, at: 0)
        #expect(beacons(&table, at: 0).first?.accuracy == rounded)
    }

    @Test func unwantedBeaconsAreForgotten() {
        let (all, second) = (BeaconSamples.pattern(), BeaconSamples.pattern(major: 2))
        var table = makeTable([all, second])
        table.receive(BeaconSamples.advertisement(1, 1), rssi: -60, at: 0)
        table.receive(BeaconSamples.advertisement(2, 1), rssi: -60, at: 0)
        table.keep([second])
        #expect(beacons(&table, second, at: 0).map(\.major) == [2])
        #expect(beacons(&table, all, at: 0).isEmpty)
        table.clear()
        #expect(beacons(&table, second, at: 0).isEmpty)
    }
}
