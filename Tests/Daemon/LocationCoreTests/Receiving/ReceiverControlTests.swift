import Devices
import LocationModel
import Logging
import NIOCore
import NIOEmbedded
import Positioning
import Testing

@testable import LocationCore
@testable import Receivers

/// The receivers' plan carried out, in virtual time.
@Suite struct ReceiverControlTests {
    private let loop = EmbeddedEventLoop()
    private let sources: [FakeSource]

    init() { sources = [FakeSource(on: loop), FakeSource(on: loop)] }

    private final class Record: ReceiverControlDelegate {
        var seconds: [Int64] = []
        var availability: [Bool] = []

        func publish(_ publication: Publication, receivedAt _: NIODeadline) {
            seconds.append(publication.location.timestamp.millisecondsSince1970 / 1000)
        }

        func publish(availability isAvailable: Bool, to _: AccuracyAuthorization) { availability.append(isAvailable) }
        func publish(withoutFix _: ReceiverUpdate) {}
        func publish(_: Heading) {}
        func publish(_: ReceivedBytes) {}
    }

    private func control(_ count: Int = 1) -> (ReceiverControl, Record) {
        let receivers = sources.prefix(count).map {
            Receiver(.simulated(route: nil), name: "fake", on: loop, source: $0)
        }
        let control = ReceiverControl(
            receivers, on: loop, clock: { Timestamp(millisecondsSince1970: 0) },
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let record = Record()
        control.delegate = record
        return (control, record)
    }

    /// Advances time second by second, with a fix in each second in which the first receiver is open. Returns these
    /// seconds.
    private func pass(_ seconds: Range<Int64>) -> [Int64] {
        var open: [Int64] = []
        for second in seconds {
            if sources[0].isOpen { open.append(second) }
            sources[0].fix(second)
            loop.advanceTime(by: .seconds(1))
        }
        return open
    }

    @Test func aContinuousPlanDeliversEveryFix() {
        let (control, record) = control()
        control.follow(.continuous)
        _ = pass(0..<5)
        #expect(record.seconds == [0, 1, 2, 3, 4])
    }

    /// When the service stops, apps leave one after the other: while the first leaves, the others' demand is there yet.
    @Test func afterTheStopNothingIsOpenedAndNoTimerIsSet() {
        let (control, record) = control()
        var plans = 0
        control.changes.observe([.activity]) { plans += 1 }
        control.follow(.continuous)
        _ = pass(0..<2)
        let before = plans
        control.stop()
        control.follow(.every(seconds: 60, accuracy: .infinity))
        control.follow(.off)
        #expect(pass(2..<100).isEmpty)
        #expect(sources[0].timesOpened == 1)
        #expect(record.seconds == [0, 1])
        #expect(plans == before)
    }

    /// A plan with pauses is served by the place for now, and the receiver is given the time for its first fix.
    @Test func aFixedPlaceLeavesReceiversTheTimeForTheirFirstFix() throws {
        let (control, record) = control()
        let place = Receiver(.fixed(try FixedPlace(parsing: "1,2")), on: loop, seed: 0) {
            Timestamp(millisecondsSince1970: 1_000_000)
        }
        control.replace(with: control.receivers + [place])
        control.follow(.every(seconds: 60, accuracy: 100))
        loop.advanceTime(by: .seconds(20))
        #expect(sources[0].isOpen)
        #expect(record.seconds.first == 1000)
        let count = record.seconds.count
        sources[0].fix(2000)
        loop.advanceTime(by: .seconds(20))
        #expect(!sources[0].isOpen)
        #expect(record.seconds[count...] == [2000])
    }

    @Test func withoutDemandPortsCloseAfterFiveSeconds() {
        let (control, record) = control()
        control.follow(.continuous)
        _ = pass(0..<2)
        control.follow(.off)
        #expect(pass(2..<20) == [2, 3, 4, 5, 6])
        #expect(record.seconds == [0, 1])
        control.stop()
    }

    @Test func betweenDistantFixesThePortIsClosed() {
        let (control, record) = control()
        control.follow(.every(seconds: 60, accuracy: 1000))
        let open = pass(0..<239)
        #expect(record.seconds == [0, 60, 120, 180])
        #expect(open == [0, 60, 120, 180])
        #expect(sources[0].timesOpened == 4)
        #expect(control.isPortClosedBetweenFixes)
    }

    @Test func betweenCloseFixesThePortStaysOpen() {
        let (control, record) = control()
        control.follow(.every(seconds: 15, accuracy: 100))
        #expect(pass(0..<60).count == 60)
        #expect(record.seconds == [0, 15, 30, 45])
    }

    @Test func aReceiverThatNeedsTimeIsOpenedEarly() {
        let (control, record) = control()
        control.follow(.every(seconds: 60, accuracy: 50))
        var openedAt: Int64?
        for second in 0..<Int64(300) {
            openedAt = sources[0].isOpen ? openedAt ?? second : nil
            // Inaccurate for four seconds, accurate from then on.
            if let openedAt { sources[0].fix(second, accuracy: second - openedAt < 4 ? 200 : 10) }
            loop.advanceTime(by: .seconds(1))
        }
        // While the receiver converges, inaccurate fixes are delivered too. Accurate ones are delivered when they are
        // due.
        #expect(Set(record.seconds).isSuperset(of: [4, 64, 124, 184, 244]))
        #expect(record.seconds.filter { $0 > 10 && $0 % 60 > 4 }.isEmpty)
    }

    @Test func aHigherDemandTakesEffectAtOnce() {
        let (control, record) = control()
        control.follow(.every(seconds: 180, accuracy: 3000))
        _ = pass(0..<20)
        control.follow(.every(seconds: 15, accuracy: 100))
        _ = pass(20..<24)
        control.follow(.continuous)
        _ = pass(24..<26)
        #expect(record.seconds == [0, 20, 24, 25])
    }

    @Test func aLossIsReportedOnceHoweverOftenItIsRetried() {
        let (control, record) = control()
        control.follow(.every(seconds: 60, accuracy: 100))
        for _ in 0..<400 {
            sources[0].fail(.missing)
            loop.advanceTime(by: .seconds(1))
        }
        #expect(record.availability == [false])
        while !sources[0].isOpen { loop.advanceTime(by: .seconds(1)) }
        sources[0].fix(1)
        #expect(record.availability == [false, true])
        control.stop()
    }

    @Test func aFinishedRecordingDoesNotRestartByItself() {
        let (control, _) = control()
        control.follow(.every(seconds: 60, accuracy: 100))
        sources[0].fail(.ended)
        loop.advanceTime(by: .minutes(30))
        #expect(sources[0].timesOpened == 1)
        control.follow(.off)
        loop.advanceTime(by: .minutes(1))
        control.follow(.continuous)
        #expect(sources[0].timesOpened == 2)
        control.stop()
    }

    @Test func aLostReceiverFallsBackWithinTwoEpochs() {
        let (control, record) = control(2)
        control.follow(.continuous)
        for second in 0..<Int64(10) {
            if second < 5 { sources[0].fix(second) }
            sources[1].fix(second)
            if second == 4 { sources[0].fail(.disconnected) }
            loop.advanceTime(by: .seconds(1))
        }
        #expect(record.seconds == Array(0..<10))
        #expect(control.choice.current == 1)
        #expect(control.choice.reason == .otherLost)
        #expect(record.availability.isEmpty)
        control.stop()
    }

    /// The loop's clock stands still while the machine sleeps.
    @Test func sleepMakesTheLastFixOld() throws {
        let (control, _) = control()
        control.follow(.continuous)
        _ = pass(0..<1)
        #expect(control.ageOfLastFix == 1)
        control.woke(after: .hours(8))
        #expect(control.ageOfLastFix == 28_801.0)
        #expect(control.members[0].lastFix.map(control.age) == .hours(8) + .seconds(1))
        // The machine's clock goes on, and the receivers have no time of their own.
        #expect(control.time { Timestamp(millisecondsSince1970: 0) }.millisecondsSince1970 == 0)
        control.woke(after: .seconds(5))
        #expect(control.ageOfLastFix == 28_806.0)
        sources[0].fix(28_806)
        #expect(control.ageOfLastFix == 0)
        control.stop()
    }

    @Test func afterSleepWhatIsOpenIsOpenedAnew() {
        let (control, record) = control()
        control.follow(.continuous)
        _ = pass(0..<2)
        control.woke(after: .minutes(1))
        #expect(sources[0].timesOpened == 2)
        #expect(sources[0].isOpen)
        _ = pass(62..<64)
        #expect(record.seconds == [0, 1, 62, 63])
        #expect(record.availability.isEmpty)
        control.stop()
    }

    /// The next fix was due while the machine slept.
    @Test func afterSleepARestIsOver() {
        let (control, record) = control()
        control.follow(.every(seconds: 180, accuracy: 3000))
        _ = pass(0..<20)
        #expect(control.isPortClosedBetweenFixes)
        control.woke(after: .hours(1))
        #expect(sources[0].isOpen)
        _ = pass(3620..<3621)
        #expect(record.seconds == [0, 3620])
        control.stop()
    }

    @Test func aReceiverThatWasLostIsFoundAfterSleep() {
        let (control, record) = control()
        control.follow(.continuous)
        sources[0].fail(.disconnected)
        control.woke(after: .hours(1))
        sources[0].fix(1)
        #expect(record.availability == [false, true])
        control.stop()
    }

    @Test func afterSleepNobodyAsksAndNothingIsOpened() {
        let (control, _) = control()
        control.follow(.continuous)
        control.follow(.off)
        control.woke(after: .hours(1))
        #expect(control.isClosed)
        loop.advanceTime(by: .minutes(10))
        #expect(sources[0].timesOpened == 1)
    }

    @Test func aSimulationTakesThePlaceOfTheReceivers() throws {
        let (control, record) = control()
        control.follow(.continuous)
        _ = pass(0..<2)
        let simulated = FakeSource(on: loop)
        control.simulate(Receiver(.simulated(route: nil), name: "simulation", on: loop, source: simulated))
        #expect(!sources[0].isOpen)
        #expect(control.lastFix == nil)
        simulated.fix(100)
        #expect(record.seconds == [0, 1, 100])
        control.simulate(nil)
        #expect(!simulated.isOpen)
        #expect(sources[0].isOpen)
        #expect(control.lastFix == nil)
        control.stop()
    }

    private func receiver(_ source: FakeSource) -> Receiver {
        Receiver(.simulated(route: nil), name: "fake", on: loop, source: source)
    }

    @Test func whatStaysGoesOnUndisturbed() {
        let (control, record) = control()
        control.follow(.continuous)
        _ = pass(0..<2)
        let stays = control.receivers[0]
        control.replace(with: [stays, receiver(sources[1])])
        #expect(sources[1].isOpen)
        #expect(control.choice.current == control.members[0].id)
        sources[1].fix(2)
        _ = pass(3..<5)
        control.replace(with: [stays])
        #expect(!sources[1].isOpen)
        #expect(control.members.count(where: { $0.lastFix != nil }) == 1)
        sources[1].fix(5)
        _ = pass(6..<8)
        #expect(record.seconds == [0, 1, 3, 4, 6, 7])
        #expect(sources[0].timesOpened == 1)
        #expect(record.availability.isEmpty)
        control.stop()
    }

    @Test func oneThatComesWhileNobodyAsksIsNotOpened() {
        let (control, record) = control()
        control.replace(with: control.receivers + [receiver(sources[1])])
        #expect(sources[1].timesOpened == 0)
        control.follow(.continuous)
        #expect(sources[0].isOpen && sources[1].isOpen)
        #expect(record.availability.isEmpty)
        control.stop()
    }

    @Test func theFirstThatComesMakesItAvailableWithItsFirstFix() {
        let (control, record) = control(0)
        control.follow(.continuous)
        #expect(record.availability == [false])
        control.replace(with: [receiver(sources[0])])
        #expect(sources[0].isOpen)
        #expect(record.availability == [false])
        sources[0].fix(0)
        #expect(record.availability == [false, true])
        control.replace(with: [])
        #expect(record.availability == [false, true, false])
        #expect(control.lastFix == nil)
        control.stop()
    }

    @Test func aNewReceiverWithoutFixesDoesNotMakeItAvailable() {
        let (control, record) = control()
        control.follow(.continuous)
        sources[0].fail(.missing)
        control.replace(with: control.receivers + [receiver(sources[1])])
        // The first receiver is being retried, and so is open, when the second one is lost.
        loop.advanceTime(by: .seconds(1))
        #expect(sources[0].isOpen)
        sources[1].fail(.missing)
        #expect(record.availability == [false])
        sources[0].fail(.missing)
        loop.advanceTime(by: .seconds(60))
        sources[1].fix(1)
        #expect(record.availability == [false, true])
        control.stop()
    }

    @Test func allAreLostThoughOneIsBeingTriedAgain() {
        let (control, record) = control(2)
        control.follow(.continuous)
        sources[0].fix(0)
        sources[1].fail(.missing)
        loop.advanceTime(by: .seconds(1))
        #expect(sources[1].isOpen)
        sources[0].fail(.disconnected)
        #expect(record.availability == [false])
        control.stop()
    }

    /// Subscribers that were notified of the loss are notified of its end, whichever source produces the fixes.
    @Test func aSimulationEndsALoss() {
        let (control, record) = control()
        control.follow(.continuous)
        sources[0].fail(.missing)
        let simulated = FakeSource(on: loop)
        control.simulate(receiver(simulated))
        simulated.fix(100)
        #expect(record.availability == [false, true])
        control.simulate(nil)
        sources[0].fail(.missing)
        #expect(record.availability == [false, true, false])
        control.stop()
    }

    @Test func aSimulationGoesOnWhenReceiversComeAndGo() {
        let (control, record) = control()
        control.follow(.continuous)
        let simulated = FakeSource(on: loop)
        control.simulate(receiver(simulated))
        simulated.fix(100)
        control.replace(with: [receiver(sources[1])])
        #expect(simulated.timesOpened == 1)
        #expect(sources[1].timesOpened == 0)
        simulated.fix(101)
        control.simulate(nil)
        #expect(sources[1].isOpen && !sources[0].isOpen)
        #expect(record.seconds == [100, 101])
        control.stop()
    }
}
