import NIOCore
import Testing

@testable import Receivers

struct SupervisorTests {
    private let silent = ReceiverFailure(.silent, "silent")
    private let missing = ReceiverFailure(.missing, "missing")

    private func seconds(_ seconds: Double) -> NIODeadline {
        .uptimeNanoseconds(UInt64(seconds * 1e9))
    }

    @Test func itIsOpenedFoundAndClosed() {
        var supervisor = Supervisor(silence: silent)
        #expect(supervisor.state == .stopped)
        #expect(supervisor.deadline == nil)
        #expect(supervisor.start(at: seconds(0)) == .open)
        #expect(supervisor.start(at: seconds(0)) == nil)
        #expect(supervisor.state == .connecting)
        supervisor.opened(at: seconds(1))
        #expect(supervisor.state == .waitingForFix)
        supervisor.heard(at: seconds(1.5))
        let first = supervisor.fixed()
        #expect(first)
        #expect(supervisor.state == .running)
        let second = supervisor.fixed()
        #expect(!second)
        #expect(supervisor.stop() == .close(reporting: nil))
        #expect(supervisor.stop() == nil)
        #expect(supervisor.deadline == nil)
    }

    @Test func itIsRetriedForEverAt05SAndThenHalfAsOftenEachTimeAtLeastEvery10S() {
        var supervisor = Supervisor(silence: silent)
        var now = seconds(0)
        _ = supervisor.start(at: now)
        var delays: [TimeAmount] = []
        for attempt in 0..<100 {
            let action = supervisor.failed(missing, at: now)
            #expect(action == .close(reporting: attempt == 0 ? missing : nil))
            #expect(supervisor.state == .lost(missing))
            guard let deadline = supervisor.deadline else {
                Issue.record("not retried after \(attempt) attempts")
                return
            }
            #expect(supervisor.wake(at: deadline - .milliseconds(1)) == nil)
            #expect(supervisor.wake(at: deadline) == .open)
            delays.append(deadline - now)
            now = deadline
        }
        let milliseconds = delays.map { $0.nanoseconds / 1_000_000 }
        #expect(Array(milliseconds.prefix(6)) == [500, 1000, 2000, 4000, 8000, 10000])
        #expect(Set(milliseconds.dropFirst(6)) == [10000])
    }

    @Test func somethingValidMakesTheNextRetryAQuickOne() {
        var supervisor = Supervisor(silence: silent)
        _ = supervisor.start(at: seconds(0))
        for _ in 0..<5 { _ = supervisor.failed(missing, at: seconds(0)).map { _ in supervisor.wake(at: seconds(20)) } }
        supervisor.opened(at: seconds(20))
        supervisor.heard(at: seconds(20))
        _ = supervisor.failed(missing, at: seconds(21))
        #expect(supervisor.deadline == seconds(21.5))
    }

    @Test func fiveSecondsOfSilenceAreALossReportedOnceAndFoundAgain() {
        var supervisor = Supervisor(silence: silent)
        _ = supervisor.start(at: seconds(0))
        supervisor.opened(at: seconds(1))
        supervisor.heard(at: seconds(2))
        _ = supervisor.fixed()
        supervisor.heard(at: seconds(3))
        #expect(supervisor.deadline == seconds(8))
        #expect(supervisor.wake(at: seconds(7.9)) == nil)
        #expect(supervisor.wake(at: seconds(8)) == .close(reporting: silent))
        #expect(supervisor.state == .lost(silent))
        #expect(supervisor.wake(at: seconds(8.5)) == .open)
        supervisor.opened(at: seconds(8.5))
        #expect(supervisor.wake(at: seconds(13.5)) == .close(reporting: nil))
        #expect(supervisor.wake(at: seconds(14.5)) == .open)
        supervisor.opened(at: seconds(14.5))
        let found = supervisor.fixed()
        #expect(found)
        #expect(supervisor.failed(missing, at: seconds(16)) == .close(reporting: missing))
    }

    @Test func whereSilenceMeansNothingThereIsNothingToWakeFor() {
        var supervisor = Supervisor(silence: nil)
        _ = supervisor.start(at: seconds(0))
        supervisor.opened(at: seconds(0))
        #expect(supervisor.deadline == nil)
    }

    @Test func theEndOfAReplayIsReportedAndNotRetried() {
        let ended = ReceiverFailure(.ended, "ended")
        var supervisor = Supervisor(silence: nil)
        _ = supervisor.start(at: seconds(0))
        supervisor.opened(at: seconds(0))
        #expect(supervisor.failed(ended, at: seconds(9)) == .close(reporting: ended))
        #expect(supervisor.state == .lost(ended))
        #expect(supervisor.deadline == nil)
        #expect(supervisor.stop() == .close(reporting: nil))
        #expect(supervisor.start(at: seconds(10)) == .open)
    }

    @Test func eventsOfAClosedSourceAreIgnored() {
        var supervisor = Supervisor(silence: silent)
        _ = supervisor.start(at: seconds(0))
        _ = supervisor.stop()
        supervisor.opened(at: seconds(1))
        supervisor.heard(at: seconds(1))
        let found = supervisor.fixed()
        #expect(!found)
        #expect(supervisor.failed(missing, at: seconds(1)) == nil)
        #expect(supervisor.state == .stopped)
    }

    @Test func whatCameIsTriedAtOnceAndThenAgainAsIfItWereTheFirstTime() {
        var supervisor = Supervisor(silence: silent)
        #expect(supervisor.retry(at: seconds(0)) == nil)
        _ = supervisor.start(at: seconds(0))
        #expect(supervisor.retry(at: seconds(0)) == nil)
        var now = seconds(0)
        for _ in 0..<10 {
            _ = supervisor.failed(missing, at: now)
            now = supervisor.deadline ?? now
            _ = supervisor.wake(at: now)
        }
        _ = supervisor.failed(missing, at: now)
        #expect(supervisor.retry(at: now) == .open)
        // The loss has already been reported.
        #expect(supervisor.failed(missing, at: now) == .close(reporting: nil))
        #expect(supervisor.deadline == now + .milliseconds(500))
    }
}
