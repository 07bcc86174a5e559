import EventLoopSupport
import LocationModel
import NIOCore
import NMEA

/// A recorded NMEA file, played through the decoder at the pace of its own time.
///
/// Like a receiver, it runs on while it is closed: opened again, it is where it would have been by then. At its end, it
/// reports `ended`; if opened after that, it starts from the beginning.
final class ReplaySource: FixSource {
    private let file: String
    private let speed: Double
    private let receiver: String
    private let eventLoop: any EventLoop
    private let clock: () -> Timestamp
    /// The recording, suspended while the source is closed; `nil` before the beginning and after the end.
    private var recording: Recording?
    private var queue: ReplayQueue
    private var headings = HeadingAssembly()
    /// The time when the source was opened. Items due before that passed while it was closed.
    private var opened: NIODeadline
    /// The time of the last fix that was played or skipped.
    private var lastTime: Timestamp?
    private var counts = Counts()
    private var sink: (any FixSink)?
    private let timer: LoopTimer

    init(
        file: String, speed: Double, receiver: String, on eventLoop: any EventLoop, clock: @escaping () -> Timestamp
    ) {
        self.file = file
        self.speed = speed
        self.receiver = receiver
        self.eventLoop = eventLoop
        timer = LoopTimer(on: eventLoop)
        self.clock = clock
        opened = eventLoop.now
        queue = ReplayQueue(speed: speed, start: opened)
    }

    var status: SourceStatus {
        var status = SourceStatus(progress: recording?.progress)
        status.statistics.nmea = counts
        guard sink != nil else { return status }
        status.satellites = satellites
        recording?.addReports(to: &status)
        return status
    }

    private var satellites: [Satellite] { recording?.decoder.satellites.map(Satellite.init) ?? [] }

    var warning: FixDoubts? {
        sink == nil ? nil : FixDoubts(recording?.decoder.spoofing, recording?.decoder.jamming)
    }

    func removeReport(_ contents: ReceiverReportContents) -> SourceReport {
        guard sink != nil, contents.contains(.satellites) else { return SourceReport() }
        return SourceReport(satellites: satellites, jamming: recording?.decoder.jamming)
    }

    func open(reportingTo sink: any FixSink) {
        opened = eventLoop.now
        do throws(ReceiverFailure) {
            if recording == nil { try begin() } else { try recording?.resume() }
        } catch {
            return sink.didFail(error)
        }
        self.sink = sink
        sink.didOpen()
        schedule(at: opened) { $0.playOn() }
    }

    private func begin() throws(ReceiverFailure) {
        recording = try Recording(path: file, receiver: receiver, now: clock())
        queue = ReplayQueue(speed: speed, start: opened)
        headings = HeadingAssembly()
        lastTime = nil
    }

    func close(toStandby: Bool) {
        timer.cancel()
        sink = nil
        recording?.suspend()
    }

    /// Waits for the due time of the next item, and skips items that were due while the source was closed. Yields to
    /// the event loop's other work after every block of the file.
    private func playOn() {
        do throws(ReceiverFailure) {
            while true {
                if let due = queue.due {
                    if due >= opened { return schedule(at: due) { $0.give() } }
                    pass()
                } else if try !readOn() {
                    return
                }
            }
        } catch {
            sink?.didFail(error)
        }
    }

    /// Reads the next item into the queue. Returns whether to continue at once.
    private func readOn() throws(ReceiverFailure) -> Bool {
        let step = try recording?.next()
        counts = recording?.decoder.counts ?? counts
        switch step {
        case .fix(let fix, let variation): queue.add(fix, variation: variation)
        case .heading(let heading): queue.add(heading)
        case .nothingYet:
            schedule(at: eventLoop.now) { $0.playOn() }
            return false
        case .end:
            queue.release()
            if queue.due != nil { return true }
            recording = nil
            sink?.didFail(ReceiverFailure(.ended, "\(file) has been played to its end"))
            return false
        case nil: return false
        }
        return true
    }

    private func pass() {
        guard case .fix(let fix, let variation) = queue.popFirst() else { return }
        lastTime = fix.location.timestamp
        headings.apply(variation: variation)
    }

    private func give() {
        switch queue.popFirst() {
        case .fix(let fix, let variation):
            lastTime = fix.location.timestamp
            headings.apply(variation: variation)
            sink?.didProduceFix(fix, at: eventLoop.now)
        case .heading(let heading):
            if let heading = headings.heading(heading, at: eventLoop.now, timestamp: lastTime ?? clock()) {
                sink?.didReportHeading(heading)
            }
        case nil: break
        }
        // The sink may have closed the source in response, and opened it again.
        if sink != nil, !timer.isSet { playOn() }
    }

    private func schedule(at deadline: NIODeadline, _ action: @escaping (ReplaySource) -> Void) {
        timer.set(at: deadline) { action(self) }
    }
}
