internal import EventLoopSupport
internal import LocationCore
internal import Logging
internal import NIOCore
internal import SystemBus

/// Asks systemd-timedated whether the machine's clock is synchronized. The daemon's sandbox forbids adjtimex(2), with
/// which the clock can be set too.
///
/// There is a connection to the bus only while a question is open, and a question only while a receiver's time differs
/// from the clock, or the clock is far ahead of the time that has certainly been reached. Without a bus or timedated,
/// the clock counts as not synchronized. Confined to the event loop.
final class SynchronizedClock: ClockSynchronization, BusConnectionDelegate {
    /// The time for which an answer holds.
    static let interval = TimeAmount.seconds(60)
    /// The time for which an answer is waited for. The service is started by the question.
    private static let answerTime = TimeAmount.seconds(30)
    private static let service = "org.freedesktop.timedate1"

    private let loop: any EventLoop
    private let bus: BusConnection
    private let timer: LoopTimer
    private var answer = false
    private var askedAt: NIODeadline?
    /// Called with each answer, or with `nil` if there is none.
    var onAnswer: ((Bool?) -> Void)?

    /// - Parameters:
    ///   - address: The address of the bus, or `nil` for the system bus.
    ///   - poller: Waits for the bus.
    init(address: String? = nil, poller: DescriptorPoller, on loop: any EventLoop, log: Logger) {
        self.loop = loop
        timer = LoopTimer(on: loop)
        bus = BusConnection(
            address: address, consequence: "receivers are not compared with this machine's clock", poller: poller,
            on: loop, log: log)
        bus.delegate = self
    }

    var isSynchronized: Bool {
        let now = loop.now
        if askedAt.map({ now - $0 >= Self.interval }) ?? true {
            askedAt = now
            timer.set(in: Self.answerTime) { [unowned self] in finish(nil) }
            bus.start()
        }
        return answer
    }

    /// Forgets the answer, which was about the clock before it was set, or before the machine slept.
    func clockChanged() {
        answer = false
        askedAt = nil
        timer.cancel()
        bus.disconnect()
    }

    /// Disconnects for good.
    func stop() {
        timer.cancel()
        bus.stop()
    }

    func connected() {
        bus.findOwner(ofStarted: Self.service) { [unowned self] owner in
            guard case .found(let owner) = owner else { return finish(nil) }
            ask(owner)
        }
    }

    private func ask(_ owner: String) {
        bus.call(
            "Get", of: "org.freedesktop.DBus.Properties", at: "/org/freedesktop/timedate1", on: owner,
            [.string(Self.service), .string("NTPSynchronized")], timeout: nil
        ) { [unowned self] reply in
            guard case .message(let message) = reply else { return finish(nil) }
            finish(message.readVariant { _ in message.readBoolean() })
        }
    }

    private func finish(_ isSynchronized: Bool?) {
        answer = isSynchronized ?? false
        timer.cancel()
        bus.disconnect()
        onAnswer?(isSynchronized)
    }

    func disconnected() {}

    func receive(_ call: IncomingCall) { bus.reply(to: call, .unknownObject) }

    func receive(_ signal: BusMessage) {}
}
