import Devices
import LocationModel
import NIOCore
import NIOEmbedded
import TestSupport

@testable import Receivers

/// A replay on an event loop whose time the test controls, with the times of its events.
final class ReplayPlayer {
    /// The time of the machine's clock.
    static let clock = Timestamp(millisecondsSince1970: 1)

    let loop = EmbeddedEventLoop()
    let receiver: Receiver
    let handler = EventHandler()
    let ended: ReceiverFailure
    private(set) var events: [(seconds: Double, event: ReceiverEvent)] = []

    init(_ file: String, speed: Double = 1) {
        ended = ReceiverFailure(.ended, "\(file) has been played to its end")
        receiver = Receiver(
            .replay(file: file, speed: speed), on: loop, seed: 0, clock: { Self.clock })
        let start = loop.now
        receiver.delegate = handler
        handler.onEvent = { [unowned self] event in
            events.append((Double((loop.now - start).nanoseconds) / 1e9, event))
        }
    }

    /// While it is running, the receiver would keep itself alive through the loop.
    deinit { receiver.stop() }

    var fixes: [(seconds: Double, fix: Fix)] {
        events.compactMap { event in event.event.fix.map { (event.seconds, $0) } }
    }

    var headings: [(seconds: Double, heading: Heading)] {
        events.compactMap { event in event.event.heading.map { (event.seconds, $0) } }
    }

    /// Closes the replay for some seconds.
    func pause(seconds: Int64) {
        receiver.stop()
        loop.advanceTime(by: .seconds(seconds))
        receiver.start()
    }
}

extension TemporaryFolder {
    /// Writes a recording and returns its path.
    func log(_ bytes: [UInt8]) throws -> String {
        try write(String(decoding: bytes, as: UTF8.self), to: "log.nmea")
    }
}
