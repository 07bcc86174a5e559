internal import Bytewise
internal import EventLoopSupport
internal import NIOCore

/// The answer to a call of this process.
package enum CallReply {
    /// The reply, whose arguments can be read.
    case message(BusMessage)
    /// An error.
    case failure(BusFailure)
    /// No answer arrived in time.
    case none
}

/// The calls of this process that have not been answered yet. Confined to the event loop.
final class PendingCalls {
    /// The time after which a call of the bus itself counts as unanswered. Most callers of the daemon give up 15 s
    /// later.
    static let timeout = TimeAmount.seconds(10)

    private struct Call {
        let destination: String
        let timer: LoopTimer?
        let answer: (CallReply) -> Void
    }

    private let loop: any EventLoop
    private var calls: [UInt64: Call] = [:]

    init(on loop: any EventLoop) {
        self.loop = loop
    }

    /// Adds a call under the cookie that its reply will name.
    ///
    /// - Parameter timeout: The time after which the call counts as unanswered, or `nil` for no limit.
    func add(
        _ cookie: UInt64, to destination: String, timeout: TimeAmount?, _ answer: @escaping (CallReply) -> Void
    ) {
        let timer = timeout.map { _ in LoopTimer(on: loop) }
        calls[cookie] = Call(destination: destination, timer: timer, answer: answer)
        guard let timeout else { return }
        timer?.set(in: timeout) { [unowned self] in calls.removeValue(forKey: cookie)?.answer(.none) }
    }

    /// Handles a reply.
    ///
    /// Attack: a connection guesses the cookie of a call to another connection, and replies to it. So the sender must
    /// be the connection that was called, by its unique name, or the bus, which answers for a connection that has left.
    func receive(_ message: BusMessage, cookie: UInt64, isError: Bool) {
        guard let call = calls[cookie], let sender = message.sender else { return }
        let isFromBus = sender.isBytewiseEqual(to: BusDriver.name)
        guard sender.isBytewiseEqual(to: call.destination) || isError && isFromBus else { return }
        calls[cookie] = nil
        call.timer?.cancel()
        call.answer(isError ? .failure(message.failure) : .message(message))
    }

    /// Removes all calls without answering them.
    func removeAll() {
        for call in calls.values { call.timer?.cancel() }
        calls = [:]
    }
}
