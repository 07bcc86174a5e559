internal import Glibc
package import LocationModel
internal import LocationProtocol
internal import NIOPosix

/// All events of an agent, one after the other.
package struct AgentEvents: Sendable {
    package enum Event: Sendable {
        case feed(PromptFeed.Event)
        /// The daemon cannot be reached at first, or refuses.
        case failed(any Error)
        /// Bytes of standard input; none at its end.
        case input([UInt8])
        case signal(CInt)
        /// The result of an answer; `failure` says why the daemon did not accept it.
        case answered(Int, PromptAnswer, AccuracyAuthorization?, failure: String?)
        /// Time has passed.
        case tick
    }

    package let all: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let daemon: DaemonConnection

    package init(_ daemon: DaemonConnection) {
        self.daemon = daemon
        (all, continuation) = AsyncStream.makeStream()
    }

    /// Sends `event` to the agent.
    func send(_ event: Event) { continuation.yield(event) }

    /// Starts sending the events of the feed.
    package func follow(_ feed: PromptFeed) {
        Task {
            do { try await feed.run { send(.feed($0)) } } catch { send(.failed(error)) }
        }
    }

    /// Starts sending these signals.
    package func trap(_ signals: CInt...) async {
        let stream = await TrappedSignals.stream(of: signals)
        Task { for await signal in stream { send(.signal(signal)) } }
    }

    /// Sends the bytes that `read` returns; it may block.
    package func read(_ read: @escaping @Sendable () -> [UInt8]) {
        Task {
            let bytes = try? await NIOThreadPool.singleton.runIfActive { read() }
            send(.input(bytes ?? []))
        }
    }

    /// Sends a tick at the end of each period.
    package func tick(every period: Duration) {
        Task {
            while true {
                try await Task.sleep(for: period)
                send(.tick)
            }
        }
    }

    /// Sends an answer to the daemon, and then the result to the agent.
    package func answer(_ id: Int, _ answer: PromptAnswer, _ accuracy: AccuracyAuthorization?) {
        Task {
            send(.answered(id, answer, accuracy, failure: await daemon.refusal(of: .answer(id: id, answer, accuracy))))
        }
    }

    /// The current time.
    package static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
