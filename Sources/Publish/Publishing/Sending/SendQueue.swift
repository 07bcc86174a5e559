/// The order of sending reports: the newest location first, then the waiting reports, oldest first, with a bounded
/// number of messages in flight. A message has one report or several.
///
/// The reports wait on the disk. This value holds only the next few, and only during a connection: each connection
/// starts by reading from the disk, so a queue emptied in the meantime is empty here too. A report still unacknowledged
/// when the connection ends stays on the disk, and is sent again in its turn.
package struct SendQueue: Sendable {
    /// The token of a sent message, which its acknowledgement repeats.
    package enum Token: Sendable, Hashable {
        /// The report with this number, or several reports beginning with it.
        case report(Int64)
        /// The newest location.
        case state
        /// The message that this machine is connected, or another initial message.
        case announcement
    }

    /// A step for the caller to take, in the order of the list.
    package enum Action: Sendable, Equatable {
        /// Reads reports and the newest location from the disk, then calls ``SendQueue/loaded(_:newest:for:)``.
        case load(LoadRequest)
        /// Sends the newest location, with the token ``Token/state``.
        case sendState(QueuedReport)
        /// Sends reports in one message, with the token of the first.
        case send([QueuedReport])
        /// Deletes a report from the disk: it was acknowledged.
        case delete(Int64)
        /// Sets a report aside on the disk: it will never be accepted.
        case setAside(Int64)
    }

    /// A request for reports on the disk.
    package struct LoadRequest: Sendable, Equatable {
        /// The number of the connection that the reports are for.
        package var connection: Int
        /// The number of the report before the first one to read.
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

    /// The maximum number of messages in flight.
    private let window: Int
    /// The maximum number of reports in a message.
    private let maximumBatch: Int
    /// The maximum number of reports in the next message: reduced after several were refused together, since one may be
    /// the cause.
    private var batch: Int
    private let sendsState: Bool
    /// A Boolean value indicating whether there is a connection.
    package private(set) var isConnected = false
    /// The number of connections so far: reports read for an earlier one are out of date.
    private var connection = 0
    private var isLoading = false
    /// A Boolean value indicating whether the disk may have reports after ``last`` that are not here.
    private var mayHaveMore = false
    /// The number of the last report added here.
    private var last: Int64 = 0
    private var waiting: [QueuedReport] = []
    /// The messages in flight, in the order of sending.
    private var inFlight: [[QueuedReport]] = []
    private var newest: QueuedReport?
    private var isStateInFlight = false
    private var isStateSent = true
    private var failing = FailingReport()

    /// Creates the order for connections with up to `window` messages in flight.
    ///
    /// - Parameters:
    ///   - maximumBatch: The maximum number of reports in a message. If it is more than 1, the window must be 1, to
    ///     keep resent reports in order.
    ///   - sendsState: `true` to send the newest location first, as a separate message.
    package init(window: Int, maximumBatch: Int = 1, sendsState: Bool) {
        self.window = window
        self.maximumBatch = maximumBatch
        self.sendsState = sendsState
        batch = maximumBatch
    }

    /// A Boolean value indicating whether a sent message has not been acknowledged.
    package var awaitsAcknowledgement: Bool { !inFlight.isEmpty || isStateInFlight }

    /// Starts a new connection.
    package mutating func connected() -> [Action] {
        disconnected()
        isConnected = true
        connection += 1
        return load()
    }

    /// Forgets all reports: the connection has ended.
    package mutating func disconnected() {
        let (connection, failing) = (connection, failing)
        self = SendQueue(window: window, maximumBatch: maximumBatch, sendsState: sendsState)
        (self.connection, self.failing) = (connection, failing)
        self.failing.disconnected()
        batch = failing.batch ?? maximumBatch
    }

    /// Adds the reports read from the disk.
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

    /// Adds a report just written to the disk. Writes and reads run one after another, so a report stored during a read
    /// is among its results or follows them.
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

    /// Records that the server has accepted a message.
    package mutating func acknowledged(_ token: Token) -> [Action] {
        switch token {
        case .announcement: return []
        case .state:
            isStateInFlight = false
            return stateAction()
        case .report(let number):
            guard let index = index(number) else { return [] }
            batch = min(2 * batch, maximumBatch)
            failing.acknowledged(number)
            return inFlight.remove(at: index).map { .delete($0.identity.number) } + fill()
        }
    }

    /// Records that the server will never accept a message. If it had several reports, one of them may be the cause, so
    /// they are sent again in smaller messages. A refused state is dropped: its report is sent as well.
    package mutating func refused(_ token: Token) -> [Action] {
        guard case .report(let number) = token else { return acknowledged(token) }
        guard let index = index(number) else { return [] }
        let reports = inFlight.remove(at: index)
        guard reports.count > 1 else { return [.setAside(number)] + fill() }
        waiting.insert(contentsOf: reports, at: 0)
        batch = reports.count / 2
        return fill()
    }

    /// Records that the server has failed at a message, such as with HTTP status 500. The connection then ends.
    ///
    /// Attack: a report makes the server fail each time, so that no later report is ever sent.
    package mutating func failed(_ token: Token) -> [Action] {
        guard case .report(let number) = token, let index = index(number) else { return [] }
        return failing.failed(at: number, count: inFlight[index].count) ? [.setAside(number)] : []
    }

    private func index(_ number: Int64) -> Int? { inFlight.firstIndex { $0[0].identity.number == number } }

    /// The number of reports to read at once.
    private var loadCount: Int { 2 * window * maximumBatch }

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
        while inFlight.count < window, !waiting.isEmpty {
            let reports = takeNext()
            inFlight.append(reports)
            actions.append(.send(reports))
        }
        if waiting.count < window * maximumBatch, mayHaveMore, !isLoading { actions += load() }
        return actions
    }

    /// Removes the reports of the next message from the waiting ones.
    private mutating func takeNext() -> [QueuedReport] {
        let first = waiting[0].identity.number
        if waiting.count > 1, failing.yields(first) { return [waiting.remove(at: 1)] }
        let reports = Array(waiting.prefix(first == failing.number ? 1 : batch))
        waiting.removeFirst(reports.count)
        return reports
    }

    private mutating func load() -> [Action] {
        isLoading = true
        return [.load(LoadRequest(connection: connection, after: last, count: loadCount))]
    }
}
