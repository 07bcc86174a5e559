/// The order of sending reports: the newest location first, then the reports that wait, oldest first, with a
/// bounded number on their way, each in a message of its own or several in one.
///
/// The reports wait on the disk. This has the few that are sent next, and only while there is a connection: each
/// connection begins with a reading of what is on the disk then, so a queue that was emptied since is empty here
/// too. A report that is not acknowledged when the connection ends stays on the disk, and is sent again, in its turn.
package struct SendQueue: Sendable {
    /// A message that was sent. Its acknowledgement has the same token.
    package enum Token: Sendable, Hashable {
        /// The report with this number, or several that begin with it.
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
        /// Sends reports in one message, under the token of the first.
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

    /// The maximum number of messages on their way.
    private let window: Int
    /// The maximum number of reports in a message.
    private let maximumBatch: Int
    /// The maximum number of reports in the next message: fewer after several were refused together, since one may
    /// be at fault.
    private var batch: Int
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
    /// The messages on their way, in the order they were sent.
    private var inFlight: [[QueuedReport]] = []
    private var newest: QueuedReport?
    private var isStateInFlight = false
    private var isStateSent = true
    private var failing = FailingReport()

    /// Creates the order for a connection on which up to `window` messages are on their way.
    ///
    /// - Parameters:
    ///   - maximumBatch: The maximum number of reports in a message. If it is more than 1, the window has to be 1, so
    ///     that reports which are sent again stay in order.
    ///   - sendsState: `true` if the newest location is sent first, as a message of its own.
    package init(window: Int, maximumBatch: Int = 1, sendsState: Bool) {
        self.window = window
        self.maximumBatch = maximumBatch
        self.sendsState = sendsState
        batch = maximumBatch
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
        let (connection, failing) = (connection, failing)
        self = SendQueue(window: window, maximumBatch: maximumBatch, sendsState: sendsState)
        (self.connection, self.failing) = (connection, failing)
        self.failing.disconnected()
        batch = failing.batch ?? maximumBatch
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
            guard let index = index(number) else { return [] }
            batch = min(2 * batch, maximumBatch)
            failing.acknowledged(number)
            return inFlight.remove(at: index).map { .delete($0.identity.number) } + fill()
        }
    }

    /// Notes that the server will never accept a message. Of several reports one may be at fault: they are sent again
    /// in smaller messages. A refused state is dropped: its report is sent as well.
    package mutating func refused(_ token: Token) -> [Action] {
        guard case .report(let number) = token else { return acknowledged(token) }
        guard let index = index(number) else { return [] }
        let reports = inFlight.remove(at: index)
        guard reports.count > 1 else { return [.setAside(number)] + fill() }
        waiting.insert(contentsOf: reports, at: 0)
        batch = reports.count / 2
        return fill()
    }

    /// Notes that the server has failed at a message, with HTTP's status 500 for example. The connection ends after that.
    ///
    /// Attack: a report makes the server fail each time, and all later ones are never sent.
    package mutating func failed(_ token: Token) -> [Action] {
        guard case .report(let number) = token, let index = index(number) else { return [] }
        return failing.failed(at: number, count: inFlight[index].count) ? [.setAside(number)] : []
    }

    private func index(_ number: Int64) -> Int? { inFlight.firstIndex { $0[0].identity.number == number } }

    /// The number of reports that are read at once.
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

    /// Takes the reports of the next message out of those that wait.
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
