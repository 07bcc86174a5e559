/// The order in which reports are sent: the newest location first, then the reports that wait, oldest first, with a
/// bounded number on their way.
///
/// The reports wait on the disk. This has the few that are sent next, and only while there is a connection: each
/// connection begins with a reading of what is on the disk then, so a queue that was emptied since is empty here
/// too. A report that is not acknowledged when the connection ends stays on the disk, and is sent again, in its turn.
package struct SendQueue: Sendable {
    /// A message that was sent, by which its acknowledgement is recognised.
    package enum Token: Sendable, Hashable {
        /// The report with this number.
        case report(Int64)
        /// The newest location.
        case state
        /// The message that says that this machine is connected, or another that is sent first.
        case announcement
    }

    /// A step that the caller is to take, in the order of the list.
    package enum Action: Sendable, Equatable {
        /// Reads reports and the newest location from the disk, then calls ``SendQueue/loaded(_:newest:for:)``.
        case load(LoadRequest)
        /// Sends the newest location, under the token ``Token/state``.
        case sendState(QueuedReport)
        /// Sends a report, under its token.
        case send(QueuedReport)
        /// Deletes a report from the disk: it was acknowledged.
        case delete(Int64)
    }

    /// A request for reports on the disk.
    package struct LoadRequest: Sendable, Equatable {
        /// The number of the connection that the reports are for.
        package var connection: Int
        /// The number that the reports follow.
        package var after: Int64
        /// The maximum number of reports.
        package var count: Int

        /// Creates a request.
        package init(connection: Int, after: Int64, count: Int) {
            self.connection = connection
            self.after = after
            self.count = count
        }
    }

    /// The maximum number of reports on their way.
    private let window: Int
    private let sendsState: Bool
    /// A Boolean value indicating whether there is a connection.
    package private(set) var isConnected = false
    /// The number of connections so far: what was read for an earlier one is out of date.
    private var connection = 0
    private var isLoading = false
    /// A Boolean value indicating whether the disk may have reports that follow ``last`` and are not here.
    private var mayHaveMore = false
    /// The number of the last report that was here.
    private var last: Int64 = 0
    private var waiting: [QueuedReport] = []
    /// The numbers of the reports on their way, in the order in which they were sent.
    private var inFlight: [Int64] = []
    private var newest: QueuedReport?
    private var isStateInFlight = false
    private var isStateSent = true

    /// Creates the order for a connection on which up to `window` reports are on their way.
    ///
    /// - Parameter sendsState: `true` if the newest location is sent first, as a message of its own.
    package init(window: Int, sendsState: Bool) {
        self.window = window
        self.sendsState = sendsState
    }

    /// A Boolean value indicating whether something was sent and is not acknowledged.
    package var awaitsAcknowledgement: Bool { !inFlight.isEmpty || isStateInFlight }

    /// Begins with a new connection.
    package mutating func connected() -> [Action] {
        disconnected()
        isConnected = true
        connection += 1
        return load()
    }

    /// Forgets what is here: the connection has ended.
    package mutating func disconnected() {
        let connection = connection
        self = SendQueue(window: window, sendsState: sendsState)
        self.connection = connection
    }

    /// Adds the reports that were read.
    package mutating func loaded(
        _ entries: [QueuedReport], newest: QueuedReport?, for request: LoadRequest
    ) -> [Action] {
        guard isConnected, isLoading, request.connection == connection else { return [] }
        isLoading = false
        mayHaveMore = entries.count >= loadCount
        append(entries)
        if let newest { note(newest) }
        return stateAction() + fill()
    }

    /// Adds a report that has just been written to the disk. Reports are stored and read one after the other, so one
    /// that is stored while others are being read is among them, or after them.
    package mutating func stored(_ entry: QueuedReport) -> [Action] {
        guard isConnected else { return [] }
        if entry.report.crossing == nil { note(entry) }
        if isLoading || mayHaveMore || waiting.count >= loadCount {
            mayHaveMore = true
        } else {
            append([entry])
        }
        return stateAction() + fill()
    }

    /// Notes that the broker has a message.
    package mutating func acknowledged(_ token: Token) -> [Action] {
        switch token {
        case .announcement: return []
        case .state:
            isStateInFlight = false
            return stateAction()
        case .report(let number):
            guard let index = inFlight.firstIndex(of: number) else { return [] }
            inFlight.remove(at: index)
            return [.delete(number)] + fill()
        }
    }

    /// The number of reports that are read at once.
    private var loadCount: Int { 2 * window }

    private mutating func append(_ entries: [QueuedReport]) {
        for entry in entries where entry.identity.number > last {
            waiting.append(entry)
            last = entry.identity.number
        }
    }

    private mutating func note(_ entry: QueuedReport) {
        guard sendsState, entry.identity.number > newest?.identity.number ?? 0 else { return }
        newest = entry
        isStateSent = false
    }

    private mutating func stateAction() -> [Action] {
        guard let newest, !isStateSent, !isStateInFlight else { return [] }
        isStateSent = true
        isStateInFlight = true
        return [.sendState(newest)]
    }

    private mutating func fill() -> [Action] {
        var actions: [Action] = []
        let count = min(window - inFlight.count, waiting.count)
        for entry in waiting.prefix(count) {
            inFlight.append(entry.identity.number)
            actions.append(.send(entry))
        }
        waiting.removeFirst(count)
        if waiting.count < window, mayHaveMore, !isLoading { actions += load() }
        return actions
    }

    private mutating func load() -> [Action] {
        isLoading = true
        return [.load(LoadRequest(connection: connection, after: last, count: loadCount))]
    }
}
