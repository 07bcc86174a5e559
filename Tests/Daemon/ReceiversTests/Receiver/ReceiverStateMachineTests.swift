import NIOCore
import Testing

@testable import Receivers

struct ReceiverStateMachineTests {
    private let silent = ReceiverFailure(.silent, "silent")
    private let missing = ReceiverFailure(.missing, "missing")

    private func seconds(_ seconds: Double) -> NIODeadline {
        .uptimeNanoseconds(UInt64(seconds * 1e9))
    }

    @Test func itIsOpenedFoundAndClosed() {
        var machine = ReceiverStateMachine(silence: silent)
        #expect(machine.state == .stopped)
        #expect(machine.deadline == nil)
        #expect(machine.start(at: seconds(0)) == .open)
        #expect(machine.start(at: seconds(0)) == nil)
        #expect(machine.state == .connecting)
        machine.opened(at: seconds(1))
        #expect(machine.state == .waitingForFix)
        machine.heard(at: seconds(1.5))
        let first = machine.fixed()
        #expect(first)
        #expect(machine.state == .running)
        let second = machine.fixed()
        #expect(!second)
        #expect(machine.stop() == .close(reporting: nil))
        #expect(machine.stop() == nil)
        #expect(machine.deadline == nil)
    }

    @Test func itIsRetriedForEverAt05SAndThenHalfAsOftenEachTimeAtLeastEvery10S() {
        var machine = ReceiverStateMachine(silence: silent)
        var now = seconds(0)
        _ = machine.start(at: now)
        var delays: [TimeAmount] = []
        for attempt in 0..<100 {
            let action = machine.failed(missing, at: now)
            #expect(action == .close(reporting: attempt == 0 ? missing : nil))
            #expect(machine.state == .lost(missing))
            guard let deadline = machine.deadline else {
                Issue.record("not retried after \(attempt) attempts")
                return
            }
            #expect(machine.wake(at: deadline - .milliseconds(1)) == nil)
            #expect(machine.wake(at: deadline) == .open)
            delays.append(deadline - now)
            now = deadline
        }
        let milliseconds = delays.map { $0.nanoseconds / 1_000_000 }
        #expect(Array(milliseconds.prefix(6)) == [500, 1000, 2000, 4000, 8000, 10000])
        #expect(Set(milliseconds.dropFirst(6)) == [10000])
    }

    @Test func somethingValidMakesTheNextRetryAQuickOne() {
        var machine = ReceiverStateMachine(silence: silent)
        _ = machine.start(at: seconds(0))
        for _ in 0..<5 { _ = machine.failed(missing, at: seconds(0)).map { _ in machine.wake(at: seconds(20)) } }
        machine.opened(at: seconds(20))
        machine.heard(at: seconds(20))
        _ = machine.failed(missing, at: seconds(21))
        #expect(machine.deadline == seconds(21.5))
    }

    @Test func fiveSecondsOfSilenceAreALossReportedOnceAndFoundAgain() {
        var machine = ReceiverStateMachine(silence: silent)
        _ = machine.start(at: seconds(0))
        machine.opened(at: seconds(1))
        machine.heard(at: seconds(2))
        _ = machine.fixed()
        machine.heard(at: seconds(3))
        #expect(machine.deadline == seconds(8))
        #expect(machine.wake(at: seconds(7.9)) == nil)
        #expect(machine.wake(at: seconds(8)) == .close(reporting: silent))
        #expect(machine.state == .lost(silent))
        #expect(machine.wake(at: seconds(8.5)) == .open)
        machine.opened(at: seconds(8.5))
        #expect(machine.wake(at: seconds(13.5)) == .close(reporting: nil))
        #expect(machine.wake(at: seconds(14.5)) == .open)
        machine.opened(at: seconds(14.5))
        let found = machine.fixed()
        #expect(found)
        #expect(machine.failed(missing, at: seconds(16)) == .close(reporting: missing))
    }

    @Test func whereSilenceMeansNothingThereIsNothingToWakeFor() {
        var machine = ReceiverStateMachine(silence: nil)
        _ = machine.start(at: seconds(0))
        machine.opened(at: seconds(0))
        #expect(machine.deadline == nil)
    }

    @Test func theEndOfAReplayIsReportedAndNotRetried() {
        let ended = ReceiverFailure(.ended, "ended")
        var machine = ReceiverStateMachine(silence: nil)
        _ = machine.start(at: seconds(0))
        machine.opened(at: seconds(0))
        #expect(machine.failed(ended, at: seconds(9)) == .close(reporting: ended))
        #expect(machine.state == .lost(ended))
        #expect(machine.deadline == nil)
        #expect(machine.stop() == .close(reporting: nil))
        #expect(machine.start(at: seconds(10)) == .open)
    }

    @Test func eventsOfAClosedSourceAreIgnored() {
        var machine = ReceiverStateMachine(silence: silent)
        _ = machine.start(at: seconds(0))
        _ = machine.stop()
        machine.opened(at: seconds(1))
        machine.heard(at: seconds(1))
        let found = machine.fixed()
        #expect(!found)
        #expect(machine.failed(missing, at: seconds(1)) == nil)
        #expect(machine.state == .stopped)
    }

    @Test func whatCameIsTriedAtOnceAndThenAgainAsIfItWereTheFirstTime() {
        var machine = ReceiverStateMachine(silence: silent)
        #expect(machine.retry(at: seconds(0)) == nil)
        _ = machine.start(at: seconds(0))
        #expect(machine.retry(at: seconds(0)) == nil)
        var now = seconds(0)
        for _ in 0..<10 {
            _ = machine.failed(missing, at: now)
            now = machine.deadline ?? now
            _ = machine.wake(at: now)
        }
        _ = machine.failed(missing, at: now)
        #expect(machine.retry(at: now) == .open)
        // The loss has already been reported.
        #expect(machine.failed(missing, at: now) == .close(reporting: nil))
        #expect(machine.deadline == now + .milliseconds(500))
    }
}
