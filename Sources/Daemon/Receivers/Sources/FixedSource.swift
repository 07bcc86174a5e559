import Devices
import EventLoopSupport
import LocationModel
import NIOCore
import ReceiverSettings

/// A place stated by the owner of the machine, reported as a receiver would report it. It never claims movement: its
/// fixes have neither speed nor course.
final class FixedSource: FixSource {
    private let place: FixedPlace
    private let receiver: String
    private let clock: () -> Timestamp
    private let eventLoop: any EventLoop
    private let timer: LoopTimer
    /// The time between two fixes.
    private var interval = TimeAmount.seconds(1)

    init(_ place: FixedPlace, receiver: String, on eventLoop: any EventLoop, clock: @escaping () -> Timestamp) {
        self.place = place
        self.receiver = receiver
        self.clock = clock
        self.eventLoop = eventLoop
        timer = LoopTimer(on: eventLoop)
    }

    func open(reportingTo sink: any FixSink) {
        sink.didOpen()
        report(to: sink, after: .zero)
    }

    func close(toStandby: Bool) {
        timer.cancel()
    }

    func setDemand(_ demand: ReceiverDemand, reporting contents: ReceiverReportContents) {
        interval = .nanoseconds(Int64(max(demand.interval ?? 1, 0.1) * 1e9))
    }

    private func report(to sink: any FixSink, after time: TimeAmount) {
        timer.set(in: time) {
            // The sink may close the source in response to the fix.
            self.report(to: sink, after: self.interval)
            let now = self.eventLoop.now
            sink.didReceiveData(at: now)
            sink.didProduceFix(self.fix, at: now)
        }
    }

    private var fix: Fix {
        var location = Location(timestamp: clock(), latitude: place.latitude, longitude: place.longitude)
        location.horizontalAccuracy = place.accuracy
        location.altitude = place.altitude
        location.addModelledAltitude()
        location.quality = .fixed
        location.receiver = receiver
        return Fix(location: location)
    }
}
