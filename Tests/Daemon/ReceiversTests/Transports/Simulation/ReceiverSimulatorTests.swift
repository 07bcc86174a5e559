import LocationModel
import NMEA
import Testing

@testable import Receivers

struct ReceiverSimulatorTests {
    private func epochs(_ bytes: [UInt8]) -> [Epoch] {
        var decoder = NMEADecoder()
        return decode(bytes, with: &decoder)
    }

    private func decode(_ bytes: [UInt8], with decoder: inout NMEADecoder) -> [Epoch] {
        var epochs: [Epoch] = []
        var offset = 0
        while let event = decoder.next(in: bytes.span.bytes, at: &offset) {
            if case .epoch(let epoch) = event { epochs.append(epoch) }
        }
        while let event = decoder.flush() {
            if case .epoch(let epoch) = event { epochs.append(epoch) }
        }
        return epochs
    }

    @Test func allThatItSendsIsValidAndMarkedAsSimulated() {
        let journey = Journey(count: 100)
        var decoder = NMEADecoder()
        let epochs = decode(journey.bytes, with: &decoder)
        #expect(epochs.map(\.millisecondsSince1970) == journey.timestamps.map(\.millisecondsSince1970))
        #expect(Set(epochs.map(\.simulated)) == [true])
        #expect(decoder.counts.sentences == 1000)
        #expect(decoder.counts.checksumErrors == 0)
        #expect(decoder.counts.malformed == 0)
        #expect(decoder.counts.bytesSkipped == 0)
        #expect(decoder.counts.unknownKinds == 0)
        #expect(decoder.satellites.count == 15)
        for epoch in epochs {
            #expect(epoch.dimension == .three)
            #expect(epoch.hdop == 0.9)
            #expect(epoch.satellitesUsed == decoder.satellites.count(where: \.used))
            #expect((4...5).contains(epoch.horizontalAccuracy ?? 0))
            #expect((2.5...3.5).contains(epoch.speed ?? 0))
            #expect(epoch.ellipsoidalAltitude != nil)
        }
    }

    @Test func itsFixesStrayFromTheRouteAsFarAsTheySayAndWander() {
        let count = 5000
        let epochs = self.epochs(Journey(count: count).bytes)
        #expect(epochs.count == count)
        var errors: [Double] = []
        for (second, epoch) in epochs.enumerated() {
            let truth = Route.harbour.position(after: Double(second) * ReceiverSimulator.defaultSpeed).place
            let told = Route.Place(latitude: epoch.latitude, longitude: epoch.longitude, altitude: 0)
            errors.append(Route.distance(truth, told))
        }
        let meanSquare = errors.reduce(0) { $0 + $1 * $1 } / Double(count)
        // 3 m to the north and 3 m to the east.
        #expect((3.5...5).contains(meanSquare.squareRoot()))
        #expect(errors.allSatisfy { $0 < 20 })
        let within = Double(errors.count { $0 <= 4.53 }) / Double(count)
        #expect((0.55...0.8).contains(within))
        let steps = zip(errors, errors.dropFirst()).map { abs($0 - $1) }
        #expect(steps.reduce(0, +) / Double(count) < 1)
    }

    @Test func theSameSeedGivesTheSameBytesAnotherOneOthers() {
        #expect(Journey(count: 10, seed: 5).bytes == Journey(count: 10, seed: 5).bytes)
        #expect(Journey(count: 10, seed: 5).bytes != Journey(count: 10, seed: 6).bytes)
    }

    @Test func theJourneyGoesOnWhileNobodyListens() {
        var simulator = ReceiverSimulator(route: .harbour, seed: 1)
        _ = simulator.sentences(at: Journey.departure)
        let later = Timestamp(millisecondsSince1970: Journey.departure.millisecondsSince1970 + 300_000)
        let epochs = self.epochs(simulator.sentences(at: later))
        let told = Route.Place(latitude: epochs[0].latitude, longitude: epochs[0].longitude, altitude: 0)
        #expect(Route.distance(told, Route.harbour.position(after: 900).place) < 20)
    }
}
