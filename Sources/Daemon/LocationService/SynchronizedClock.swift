internal import Bus
internal import EventLoopSupport
internal import LocationCore
internal import Logging
internal import NIOCore

/// Asks systemd-timedated whether the machine's clock is synchronized. The daemon's sandbox forbids adjtimex(2),
/// because that can set the clock, too.
///
/// It needs the bus only while a question is open. A question is open only while a receiver's time differs from the
/// clock, or while the clock is far ahead of the time that has certainly been reached. Without a bus or timedated, the
/// clock counts as not synchronized. Confined to the event loop.
final class SynchronizedClock: ClockSynchronization {
    /// The time until an answer expires.
    static let interval = TimeAmount.seconds(60)
    /// The timeout of a question. It includes the start of timedated, which the question may cause.
    private static let answerTime = TimeAmount.seconds(30)
    private static let name = "org.freedesktop.timedate1"

    private let loop: any EventLoop
    private let log: Logger
    private let timedated: BusService
    private let timer: LoopTimer
    private var answer = false
    private var askedAt: NIODeadline?
    /// The last problem in the log, so that each question does not repeat it.
    private var logged: String?
    /// Called with each answer, or with `nil` if there is none.
    var onAnswer: ((Bool?) -> Void)?

    init(_ bus: Bus, on loop: any EventLoop, log: Logger) {
        self.loop = loop
        self.log = log
        timer = LoopTimer(on: loop)
        timedated = BusService(Self.name, on: bus, isStarted: true)
        timedated.onEvent = { [unowned self] in handle($0) }
    }

    var isSynchronized: Bool {
        let now = loop.now
        if askedAt.map({ now - $0 >= Self.interval }) ?? true {
            askedAt = now
            timer.set(in: Self.answerTime) { [unowned self] in finish(nil) }
            timedated.open()
        }
        return answer
    }

    /// Forgets the answer, which described the clock before it was set or before the machine slept.
    func clockChanged() {
        answer = false
        askedAt = nil
        stop()
    }

    /// Stops asking until `isSynchronized` is read again.
    func stop() {
        timer.cancel()
        timedated.close()
    }

    private func handle(_ event: BusService.Event) {
        switch event {
        case .found: ask()
        case .absent: finish(nil)
        case .disconnected(let reason):
            if reason != logged { log.warning("receivers are not compared with this machine's clock: \(reason)") }
            // The connection is retried until the timer ends the question.
            logged = reason
        }
    }

    private func ask() {
        logged = nil
        timedated.call(
            "Get", of: "org.freedesktop.DBus.Properties", at: "/org/freedesktop/timedate1",
            [.string(Self.name), .string("NTPSynchronized")], timeout: nil
        ) { [unowned self] reply in
            guard case .message(let message) = reply else { return finish(nil) }
            finish(message.readVariant { _ in message.readBoolean() })
        }
    }

    private func finish(_ isSynchronized: Bool?) {
        answer = isSynchronized ?? false
        stop()
        onAnswer?(isSynchronized)
    }
}
