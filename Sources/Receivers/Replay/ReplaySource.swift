import NIOCore
import NMEA
import Positioning

/// A recorded NMEA file, played through the decoder at the pace of its own time.
final class ReplaySource: FixSource {
    private let file: String
    private let speed: Double
    private let receiver: String
    private let eventLoop: any EventLoop
    private var recording: Recording?
    private var pace: ReplayPace
    private var counts = Counts()
    private var sink: (any FixSink)?
    private var task: Scheduled<Void>?

    init(file: String, speed: Double, receiver: String, on eventLoop: any EventLoop) {
        self.file = file
        self.speed = speed
        self.receiver = receiver
        self.eventLoop = eventLoop
        pace = ReplayPace(speed: speed)
    }

    let silence: ReceiverFailure? = nil

    var satellites: [Satellite] { recording?.decoder.satellites.map(Satellite.init) ?? [] }

    let baudRate: Int? = nil

    var statistics: ReceiverStatistics {
        var statistics = ReceiverStatistics()
        statistics.nmea = counts
        return statistics
    }

    func open(reportingTo sink: any FixSink) {
        do throws(ReceiverFailure) {
            recording = try Recording(path: file, receiver: receiver)
        } catch {
            return sink.sourceFailed(error)
        }
        pace = ReplayPace(speed: speed)
        self.sink = sink
        sink.sourceOpened()
        schedule(at: eventLoop.now) { $0.readOn() }
    }

    func close() {
        task?.cancel()
        task = nil
        sink = nil
        recording = nil
    }

    /// Reads as far as the next fix, with a turn for the event loop's other work after every block without one.
    private func readOn() {
        do throws(ReceiverFailure) {
            let step = try recording?.next()
            counts = recording?.decoder.counts ?? counts
            switch step {
            case .fix(let fix):
                schedule(at: pace.due(fix.location.timestamp, at: eventLoop.now)) { $0.give(fix) }
            case .nothingYet: schedule(at: eventLoop.now) { $0.readOn() }
            case .end: sink?.sourceFailed(ReceiverFailure(.ended, "\(file) has been played to its end"))
            case nil: break
            }
        } catch {
            sink?.sourceFailed(error)
        }
    }

    private func give(_ fix: Fix) {
        task = nil
        sink?.sourceFixed(fix)
        // The sink may have closed in response, and opened again.
        if sink != nil, task == nil { readOn() }
    }

    private func schedule(at deadline: NIODeadline, _ action: @escaping (ReplaySource) -> Void) {
        task = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { action(self) }
    }
}
