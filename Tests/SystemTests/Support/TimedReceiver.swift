import Foundation
import Synchronization
import TestSupport

/// A receiver that states the time four times a second, each time with another delay, until it is released.
///
/// It states the time of sending, less the delay. So it is right even if it is held up.
final class TimedReceiver: Sendable {
    private let isStopped = Mutex(false)

    /// Begins to send to `wire`.
    ///
    /// - Parameters:
    ///   - ahead: The receiver's time minus the machine's, in seconds.
    ///   - delays: The seconds from the moment of an epoch to its first byte.
    init(on wire: Wire, ahead: Double, delays: ClosedRange<Double>) {
        Thread.detachNewThread { [weak self] in
            var random = SeededRandom(seed: 5)
            while self?.isStopped.withLock({ $0 }) == false {
                let lead = ahead - Double.random(in: delays, using: &random)
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                wire.offer(Self.epoch(Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 + lead))
                usleep(250_000)
            }
        }
    }

    deinit { isStopped.withLock { $0 = true } }

    /// Returns the epoch of a time in seconds since 1970, to the nearest millisecond.
    static func epoch(_ time: Double) -> String {
        let milliseconds = Int64((time * 1000).rounded())
        var seconds = time_t(milliseconds / 1000)
        var date = tm()
        gmtime_r(&seconds, &date)
        let clock = String(
            format: "%02d%02d%02d.%03d", date.tm_hour, date.tm_min, date.tm_sec, Int32(milliseconds % 1000))
        let day = String(format: "%02d%02d%02d", date.tm_mday, date.tm_mon + 1, date.tm_year % 100)
        return Sentences.sentence("GPRMC,\(clock),A,4730.00000,N,00845.00000,E,0.0,0.0,\(day),,,A")
            + Sentences.sentence("GPGGA,\(clock),4730.00000,N,00845.00000,E,1,09,0.9,400.0,M,47.0,M,,")
    }
}
