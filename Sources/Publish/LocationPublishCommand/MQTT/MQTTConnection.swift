internal import Glibc
internal import Linux
internal import NIOConcurrencyHelpers
internal import NIOCore

/// A connection to an MQTT broker, on a thread of its own: libmosquitto blocks while it looks up the host and connects,
/// and NIO cannot use its socket.
final class MQTTConnection: Transport, Sendable {
    /// The timeout for a broker to accept a connection, and to acknowledge at least one message in flight.
    static let answerTimeout = TimeAmount.seconds(30)

    /// The work that other threads have queued for the connection's thread.
    struct Commands: Sendable {
        var messages: [OutgoingMessage] = []
        var close: Close?

        enum Close: Sendable { case now, gracefully }
    }

    private let commands = NIOLockedValueBox(Commands())
    private let wake: WakePipe?

    /// Starts connecting. `onEvent` is called on the loop.
    init(
        _ settings: MQTTSettings, on loop: any EventLoop, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) {
        let wake = try? WakePipe()
        self.wake = wake
        let commands = commands
        let report: @Sendable (TransportEvent) -> Void = { event in loop.execute { onEvent(event) } }
        do throws(SystemCallError) {
            try DetachedThread.start {
                Self.blockBrokenPipes()
                let reason =
                    if let wake {
                        MQTTSession(settings, report: report).run(wake) { commands.withLockedValue { $0.removeAll() } }
                    } else {
                        Optional(MQTTReason.noDescriptors)
                    }
                report(.closed(reason: reason))
            }
        } catch {
            report(.closed(reason: "\(error)"))
        }
    }

    /// Blocks SIGPIPE on this thread: OpenSSL writes without MSG_NOSIGNAL, even to a closed connection.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    func send(_ message: OutgoingMessage) {
        commands.withLockedValue { $0.messages.append(message) }
        wake?.wake()
    }

    func close(gracefully: Bool) {
        commands.withLockedValue { $0.close = gracefully ? .gracefully : .now }
        wake?.wake()
    }
}

extension MQTTConnection.Commands {
    /// Removes and returns the queued work.
    fileprivate mutating func removeAll() -> Self {
        defer { messages = [] }
        return self
    }
}
