internal import Bus
internal import EventLoopSupport
internal import LocationCore
internal import NIOCore

/// A connection to the bus that has called, with its waiting calls.
final class Sender {
    /// The state of a connection.
    enum State {
        /// The connection is being identified.
        case identifying
        /// The core knows the app of the connection.
        case admitted(BusClient, ConnectedApp, AuthorizationWatcher)
        /// The connection was refused, and is not identified again before that time.
        case refused(BusError, until: NIODeadline)
        /// The connection's process has ended, or the connection has left the bus. Its calls are refused.
        ///
        /// Attack: a process leaves its connection to a child and ends, and its ID passes to another app. If the
        /// child's next call began a new identification, the child would be taken for that app.
        case ended
    }

    /// The unique name of the connection.
    let name: String
    let id: ConnectionID
    var state = State.identifying
    var identification = SenderIdentification()
    /// The core's client, while the core counts it.
    var client: BusClient?
    var queue = CallQueue<IncomingCall>()
    var backlog = Backlog()
    /// The timer for the next check of the backlog of a connection that reads slowly.
    let check: Retry
    /// A Boolean value indicating whether the connection waits for its turn.
    var isWaitingForTurn = false
    /// The time when the connection was last asked as an agent.
    var askedAsAgent: NIODeadline?
    unowned let front: GeoClueFront

    init(_ name: String, id: ConnectionID, front: GeoClueFront) {
        self.name = name
        self.id = id
        self.front = front
        check = Retry(Backoff(first: 1, greatest: 60), on: front.loop)
    }
}
