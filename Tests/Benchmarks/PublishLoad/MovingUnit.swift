import EventLoopSupport
import Glibc
import LocationModel
import LocationPublishCommand
import NIOConcurrencyHelpers
import NIOCore
import Publishing

/// A unit that goes east at 15 m/s from a place of its own, and is always authorized. Confined to the event loop.
final class MovingUnit: ReportSource {
    private let number: Int
    private let interval: TimeAmount
    private let isMoving: NIOLockedValueBox<Bool>
    private let timer: LoopTimer
    private var onEvent: (SourceEvent) -> Void = { _ in }

    init(_ number: Int, rate: Double, while isMoving: NIOLockedValueBox<Bool>, on loop: any EventLoop) {
        self.number = number
        self.isMoving = isMoving
        interval = .nanoseconds(Int64(1e9 / rate))
        timer = LoopTimer(on: loop)
    }

    func start(onEvent: @escaping (SourceEvent) -> Void) {
        self.onEvent = onEvent
        onEvent(.authorized(.full))
        // Not all at once: receivers' epochs coincide, their delays do not.
        move(in: .nanoseconds(interval.nanoseconds * Int64(number % 100) / 100))
    }

    func stop() { timer.cancel() }

    private func move(in delay: TimeAmount) {
        timer.set(in: delay) { [weak self] in
            guard let self, self.isMoving.withLockedValue({ $0 }) else { return }
            self.onEvent(.report(Report(location: self.location)))
            self.move(in: self.interval)
        }
    }

    private var location: Location {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let seconds = Double(time.tv_sec % 10_000) + Double(time.tv_nsec) / 1e9
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000),
            latitude: 40 + Double(number) / 1000, longitude: 8 + seconds * 15 / 85_000)
        location.horizontalAccuracy = 3.5
        location.altitude = 431.25
        location.verticalAccuracy = 6
        location.speed = 15
        location.course = 90
        return location
    }
}
