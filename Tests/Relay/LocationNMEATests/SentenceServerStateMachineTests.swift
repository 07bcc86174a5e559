import LocationClient
import Testing

@testable import LocationNMEACommand

/// When readers are let in, when locations are asked for, and what readers get.
@Suite struct SentenceServerStateMachineTests {
    private static let location = Location(
        timestamp: Timestamp("2026-06-01T12:05:07.250Z")!, latitude: 1, longitude: 2)

    /// A machine with a reader who gets locations.
    private func served() -> SentenceServerStateMachine {
        var machine = SentenceServerStateMachine()
        _ = machine.authorizationChanged(isAuthorized: true)
        _ = machine.readersChanged(areThere: true)
        _ = machine.received(.location(Self.location))
        return machine
    }

    @Test func nobodyIsLetInWithoutAuthorization() {
        var machine = SentenceServerStateMachine()
        #expect(machine.readersChanged(areThere: true).isEmpty)
        #expect(
            machine.received(.location(Self.location)).isEmpty && machine.retry().isEmpty && machine.ended().isEmpty)
        #expect(machine.authorizationChanged(isAuthorized: false).isEmpty)
        #expect(machine.authorizationChanged(isAuthorized: true) == [.open])
        #expect(machine.authorizationChanged(isAuthorized: true).isEmpty)
    }

    /// Attack: accuracy is reduced, and a location with full accuracy that was on its way waits for a further reader.
    @Test func whatWaitsIsDroppedWithTheAccuracy() {
        var machine = served()
        let reduced = AuthorizationState(status: .authorizedAlways, accuracy: .reduced, servicesEnabled: true)
        #expect(machine.received(.authorizationChanged(reduced)) == [.forget])
    }

    @Test func nothingIsAskedForWithoutAReader() {
        var machine = SentenceServerStateMachine()
        _ = machine.authorizationChanged(isAuthorized: true)
        #expect(!machine.isWithoutFix)
        #expect(machine.readersChanged(areThere: true) == [.writeWithoutFix, .subscribe])
        #expect(machine.isWithoutFix)
        #expect(machine.received(.location(Self.location)) == [.write(Self.location)])
        #expect(!machine.isWithoutFix)
        #expect(machine.readersChanged(areThere: false) == [.unsubscribe])
        #expect(machine.received(.location(Self.location)).isEmpty)
    }

    @Test func theEndOfTheAuthorizationIsSeenAndShutsReadersOut() {
        var machine = served()
        #expect(machine.authorizationChanged(isAuthorized: false) == [.forget, .writeWithoutFix, .unsubscribe, .close])
        #expect(!machine.isWithoutFix)
        // Attack: a location that was on its way is passed on after the revocation.
        #expect(machine.received(.location(Self.location)).isEmpty)
        #expect(machine.readersChanged(areThere: false).isEmpty)
        #expect(machine.authorizationChanged(isAuthorized: true) == [.open])
        #expect(machine.readersChanged(areThere: true) == [.writeWithoutFix, .subscribe])
    }

    @Test(arguments: [LocationUpdate.receiverLost, .suspended, .disconnected])
    func theLossOfTheFixIsSeenOnce(update: LocationUpdate) {
        var machine = served()
        #expect(machine.received(update) == [.writeWithoutFix])
        #expect(machine.isWithoutFix)
        #expect(machine.received(update).isEmpty)
        #expect(machine.received(.location(Self.location)) == [.write(Self.location)])
    }

    @Test func aStreamThatEndsIsAskedForAgain() {
        var machine = served()
        #expect(machine.ended() == [.writeWithoutFix])
        #expect(machine.isWithoutFix && machine.ended().isEmpty)
        #expect(machine.retry() == [.subscribe])
        #expect(machine.retry().isEmpty)
        _ = machine.ended()
        _ = machine.readersChanged(areThere: false)
        #expect(machine.retry().isEmpty)
    }
}
