import EventLoopSupport
import LocationModel
import NIOCore

/// The receivers of a gpsd. The event loop reads the socket, and libgps only decodes the lines.
final class GPSDSource: FixSource {
    private let server: String
    private let receiver: String
    private let eventLoop: any EventLoop
    private let clock: () -> Timestamp
    private var reader = GPSDReader()
    private var epochs: GPSDEpochs
    private var headings = GPSDHeadings()
    /// The number of positions dropped in previous connections.
    private var dropped = 0
    /// The outcome of the last position report in this connection.
    private var outcome: EpochOutcome?
    private var sink: (any FixSink)?
    private let attempt: ConnectionAttempt
    private var connection: ReceiverConnection?

    init(host: String, port: Int, receiver: String, on eventLoop: any EventLoop, clock: @escaping () -> Timestamp) {
        self.receiver = receiver
        self.eventLoop = eventLoop
        self.clock = clock
        epochs = GPSDEpochs(receiver: receiver)
        let socket = GPSDSocket(host: host, port: port)
        server = socket.server
        attempt = ConnectionAttempt(on: eventLoop) { socket.connect(within: ReceiverStateMachine.silenceLimit) }
    }

    deinit { attempt.cancel() }

    func silence(after limit: TimeAmount) -> ReceiverFailure? {
        let seconds = limit.nanoseconds / 1_000_000_000
        return ReceiverFailure(.silent, "\(server) has sent nothing for \(seconds) s: does it have a receiver?")
    }

    private var diagnosis: ReceiverDiagnosis {
        guard connection != nil, let outcome else { return ReceiverDiagnosis(.nothing) }
        return .of(outcome, satellitesInView: epochs.satellitesInView)
    }

    private var satellites: [Satellite] { connection == nil ? [] : reader.satellites }

    var status: SourceStatus {
        var status = SourceStatus(diagnosis: diagnosis, satellites: satellites)
        status.statistics.droppedFixes = dropped + epochs.dropped
        return status
    }

    func removeReport(_ contents: ReceiverReportContents) -> SourceReport {
        SourceReport(satellites: contents.contains(.satellites) ? satellites : [])
    }

    func open(reportingTo sink: any FixSink) {
        self.sink = sink
        reader = GPSDReader()
        dropped += epochs.dropped
        epochs = GPSDEpochs(receiver: receiver, undated: epochs.undated)
        headings = GPSDHeadings()
        outcome = nil
        attempt.begin { [unowned self] result in
            switch result {
            case .success((let descriptor, let sockets)): didConnect(descriptor, in: sockets)
            case .failure(let failure): self.sink?.didFail(failure)
            }
        }
    }

    func close(toStandby: Bool) {
        attempt.cancel()
        sink = nil
        connection?.close()
        connection = nil
    }

    /// Requests reports.
    private func didConnect(_ descriptor: CInt, in sockets: StreamSockets) {
        let connection = ReceiverConnection(descriptor, in: sockets)
        self.connection = connection
        connection.send("?WATCH={\"enable\":true,\"json\":true};\n")
        connection.start { [unowned self, unowned connection] bytes in
            receive(bytes.readableBytesSpan, from: connection)
        } onEnd: { [unowned self] in
            sink?.didFail(ReceiverFailure(.disconnected, "\(server) has closed the connection"))
        }
    }

    /// Decodes `bytes` and handles the reports in them. The hot path from the read to the handler of the fixes.
    func receive(_ bytes: RawSpan, from connection: ReceiverConnection) {
        var offset = 0
        // The sink may close the source, or close and open it again, in response to each report.
        while self.connection === connection, let report = reader.next(in: bytes, at: &offset) { handle(report) }
    }

    private func handle(_ report: GPSDReport) {
        let now = eventLoop.now
        switch report {
        case .position(let position):
            sink?.didReceiveData(at: now)
            headings.apply(position)
            if let fix = epochs.fix(position, at: now, clock: clock) {
                outcome = .fix(fix.dating)
                sink?.didProduceFix(fix, at: now)
            } else if epochs.lacksClock {
                outcome = .noClock
                sink?.didFindNoFix(diagnosis)
            } else if epochs.isWithoutFix(position, at: now) {
                outcome = .noFix
                sink?.didFindNoFix(diagnosis)
            }
        case .sky(let sky):
            sink?.didReceiveData(at: now)
            epochs.apply(sky)
        case .errors(let errors):
            sink?.didReceiveData(at: now)
            epochs.apply(errors)
        case .attitude(let attitude):
            sink?.didReceiveData(at: now)
            if let heading = headings.heading(attitude, at: now, timestamp: clock()) {
                sink?.didReportHeading(heading)
            }
        case .version: sink?.didOpen()
        case .device(let path, let isActive):
            guard !isActive, epochs.follows(path) else { return }
            sink?.didFail(ReceiverFailure(.disconnected, "\(server) has lost the receiver at \(path)"))
        }
    }
}
