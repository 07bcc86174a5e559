import EventLoopSupport
import LocationModel
import LocationProtocol
import Testing

@testable import LocationClient

/// The order of events on a stream, without a socket.
@Suite struct StreamStateMachineTests {
    private typealias Machine = StreamStateMachine<UpdatesSource>

    private let always = AuthorizationState(status: .authorizedAlways, accuracy: .full, servicesEnabled: true)
    private let whenInUse = AuthorizationState(status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true)
    private let gone = LocationError.daemonUnreachable(path: "/run", reason: "gone")
    private let fix = Subscribe.Reply(
        update: Update(
            event: .location,
            location: Location(timestamp: Timestamp(millisecondsSince1970: 0), latitude: 1, longitude: 2)))

    private func machine(waits: Bool = false, _ change: (inout LocationClient.Options) -> Void = { _ in }) -> Machine {
        var options = LocationClient.Options()
        change(&options)
        return Machine(UpdatesSource(options), backoff: Backoff(), waitsForDaemon: waits, now: 100)
    }

    /// Returns a state machine whose stream has begun.
    private func streaming(_ change: (inout LocationClient.Options) -> Void = { _ in }) -> Machine {
        var machine = machine(change)
        #expect(text(machine.handle(.demanded, now: 100)) == "connect")
        #expect(text(machine.handle(.connected, now: 100)) == "greet")
        #expect(text(machine.handle(.greeted(always), now: 100)) == "call")
        return machine
    }

    private func text(_ action: Machine.Action) -> String {
        switch action {
        case .connect: "connect"
        case .wait(let seconds): "wait \(seconds)"
        case .greet: "greet"
        case .call: "call"
        case .read: "read"
        case .report(let update): update.location == nil ? "\(update)" : "location"
        case .finish(let error): error.map { "finish \($0)" } ?? "finish"
        }
    }

    @Test func aDaemonThatWasNeverThereIsAnError() {
        var machine = machine()
        _ = machine.handle(.demanded, now: 100)
        #expect(text(machine.handle(.failed(gone), now: 100)) == "finish \(gone)")
        #expect(text(machine.handle(.demanded, now: 101)) == "finish")
    }

    @Test func aDaemonThatIsWaitedForIsReportedAsLostAndBack() {
        var machine = machine(waits: true)
        _ = machine.handle(.demanded, now: 100)
        #expect(text(machine.handle(.failed(gone), now: 100)) == "disconnected")
        #expect(text(machine.handle(.demanded, now: 100)) == "wait 0.1")
        #expect(text(machine.handle(.waited, now: 101)) == "connect")
        #expect(text(machine.handle(.connected, now: 101)) == "greet")
        #expect(text(machine.handle(.greeted(always), now: 101)) == "reconnected")
        #expect(text(machine.handle(.demanded, now: 101)) == "call")
    }

    @Test func goneAndBackAreToldOnceHoweverOftenItIsTried() {
        var machine = streaming()
        #expect(text(machine.handle(.replied(fix), now: 101)) == "location")
        #expect(text(machine.handle(.demanded, now: 102)) == "read")
        #expect(text(machine.handle(.failed(gone), now: 103)) == "disconnected")
        #expect(text(machine.handle(.demanded, now: 103)) == "wait 0.1")
        for seconds in ["0.2", "0.4", "0.8", "1.6", "3.2", "5.0", "5.0"] {
            #expect(text(machine.handle(.waited, now: 101)) == "connect")
            #expect(text(machine.handle(.failed(gone), now: 104)) == "wait \(seconds)")
        }
        #expect(text(machine.handle(.waited, now: 101)) == "connect")
        #expect(text(machine.handle(.connected, now: 120)) == "greet")
        // A connection that is closed before the first reply does not count.
        #expect(text(machine.handle(.failed(gone), now: 120)) == "wait 5.0")
        #expect(text(machine.handle(.waited, now: 101)) == "connect")
        #expect(text(machine.handle(.connected, now: 125)) == "greet")
        #expect(text(machine.handle(.greeted(always), now: 125)) == "reconnected")
        #expect(text(machine.handle(.demanded, now: 125)) == "call")
        #expect(text(machine.handle(.failed(gone), now: 126)) == "disconnected")
        #expect(text(machine.handle(.demanded, now: 126)) == "wait 0.1")
    }

    @Test func whatChangedMeanwhileIsToldAfterwards() {
        var machine = streaming()
        _ = machine.handle(.failed(gone), now: 101)
        _ = machine.handle(.demanded, now: 101)
        _ = machine.handle(.waited, now: 101)
        _ = machine.handle(.connected, now: 102)
        #expect(text(machine.handle(.greeted(whenInUse), now: 102)) == "reconnected")
        #expect(text(machine.handle(.demanded, now: 102)) == "\(LocationUpdate.authorizationChanged(whenInUse))")
        #expect(text(machine.handle(.demanded, now: 102)) == "call")
    }

    @Test func aChangeThatTheStreamToldIsNotToldAgain() {
        var machine = streaming()
        let told = Subscribe.Reply(update: Update(event: .authorizationChanged, authorization: whenInUse))
        #expect(text(machine.handle(.replied(told), now: 101)) == "\(LocationUpdate.authorizationChanged(whenInUse))")
        _ = machine.handle(.failed(gone), now: 101)
        _ = machine.handle(.demanded, now: 101)
        _ = machine.handle(.waited, now: 101)
        _ = machine.handle(.connected, now: 102)
        #expect(text(machine.handle(.greeted(whenInUse), now: 102)) == "reconnected")
        #expect(text(machine.handle(.demanded, now: 102)) == "call")
    }

    @Test func aRefusalEndsIt() {
        var machine = streaming()
        #expect(
            text(machine.handle(.failed(.notAuthorized(.denied)), now: 101))
                == "finish \(LocationError.notAuthorized(.denied))")
        #expect(text(machine.handle(.demanded, now: 101)) == "finish")
    }

    @Test func theBoundsOfAStreamCountFromItsBeginning() {
        var source = UpdatesSource(
            {
                var options = LocationClient.Options()
                options.maximumUpdates = 3
                options.duration = 60
                return options
            }())
        #expect(source.parameters(after: 2)?.options?.duration == 60)
        #expect(source.element(of: fix) != nil)
        #expect(source.element(of: .init(update: .init(event: .resumed))) == .resumed)
        let second = source.parameters(after: 12)?.options
        #expect(second?.maximumUpdates == 2)
        #expect(second?.duration == 50)
        #expect(source.parameters(after: 62) == nil)
        _ = source.element(of: fix)
        _ = source.element(of: fix)
        #expect(source.parameters(after: 20) == nil)
    }

    @Test func aStreamWithNothingLeftEndsAfterTheDaemonIsBack() {
        var machine = streaming { $0.maximumUpdates = 1 }
        #expect(text(machine.handle(.replied(fix), now: 101)) == "location")
        #expect(text(machine.handle(.demanded, now: 101)) == "read")
        #expect(text(machine.handle(.failed(gone), now: 101)) == "disconnected")
        _ = machine.handle(.demanded, now: 101)
        _ = machine.handle(.waited, now: 101)
        _ = machine.handle(.connected, now: 102)
        #expect(text(machine.handle(.greeted(always), now: 102)) == "reconnected")
        #expect(text(machine.handle(.demanded, now: 102)) == "finish")
    }
}
