import CLinux
import Glibc
import NIOCore
import NIOPosix
import NMEA
import Positioning

/// A receiver that sends NMEA 0183 through a serial port, read by the event loop. Nothing is ever written to it
/// but what its power needs, if that was asked for.
final class SerialSource: FixSource {
    /// Dates before this are impossible in a receiver that is alive, and put right by 1024 weeks: 2017-01-01, the same
    /// as gpsd's, so that both ways tell the same time of an old receiver until 2036.
    private static let earliestDate: Int64 = 1_483_228_800_000

    private let path: String
    private let rate: Int
    private let receiver: String
    private let eventLoop: any EventLoop
    private let clock: () -> Timestamp
    private let power: PowerControl?
    private var decoder = NMEADecoder()
    private var headings = HeadingAssembly()
    private var sink: (any FixSink)?
    private var port: SerialPortHandler?
    private var quiet: QuietTimer?

    init(
        path: String, baudRate: Int, receiver: String, power: ReceiverPower? = nil, on eventLoop: any EventLoop,
        clock: @escaping () -> Timestamp
    ) {
        self.path = path
        rate = baudRate
        self.receiver = receiver
        self.eventLoop = eventLoop
        self.clock = clock
        self.power = power.map { PowerControl($0, on: eventLoop) }
    }

    var silence: ReceiverFailure? {
        ReceiverFailure(
            .silent,
            """
            \(path) has sent no valid NMEA sentence for \(silenceLimit.nanoseconds / 1_000_000_000) s at \
            \(rate) baud: is the receiver switched on, and is that its baud rate?
            """)
    }

    var silenceLimit: TimeAmount { power?.silenceLimit ?? Supervisor.silenceLimit }

    var satellites: [Satellite] { port == nil ? [] : decoder.satellites.map(Satellite.init) }

    var baudRate: Int? { port == nil ? nil : rate }

    var statistics: ReceiverStatistics {
        var statistics = ReceiverStatistics()
        statistics.nmea = decoder.counts
        return statistics
    }

    func open(reportingTo sink: any FixSink) {
        let descriptor = tty_open(path, UInt32(rate))
        guard descriptor >= 0 else { return sink.sourceFailed(.opening(path, error: -descriptor)) }
        // A decoder of its own for each time: the date and the cycle of the last time may not hold any more.
        decoder = NMEADecoder(earliestDate: Self.earliestDate)
        headings = HeadingAssembly()
        self.sink = sink
        power?.opened(descriptor, baudRate: rate)
        let port = SerialPortHandler(descriptor: descriptor, source: self)
        self.port = port
        quiet = QuietTimer(on: eventLoop) { [unowned self] in wireIsQuiet() }
        let handler = NIOLoopBound(port, eventLoop: eventLoop)
        NIOPipeBootstrap(group: eventLoop)
            // The tty driver hands out at most 4095 bytes at a time.
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
            .assumeIsolated()
            .whenComplete { result in
                switch result {
                case .success: port.source?.portOpened()
                case .failure(let error):
                    _ = Glibc.close(descriptor)
                    port.source?.portClosed(error)
                }
            }
    }

    func setInterval(seconds: Double?) {
        power?.setInterval(seconds: seconds)
    }

    func standBy() {
        power?.standBy()
    }

    func close() {
        let port = self.port
        quiet?.cancel()
        quiet = nil
        sink = nil
        self.port = nil
        port?.close()
        power?.closed()
    }

    private func portOpened() {
        sink?.sourceOpened()
    }

    /// The port was closed, and not by `close()`.
    func portClosed(_ error: (any Error)?) {
        let reason = error.map { ": \($0)" } ?? ""
        sink?.sourceFailed(ReceiverFailure(.disconnected, "\(path) has gone: unplugged, or closed\(reason)"))
    }

    /// The hot path: from the read of the bytes to the handler of the fixes in them.
    func receive(_ bytes: RawSpan, from port: SerialPortHandler) {
        let sentences = decoder.counts.sentences
        var offset = 0
        // The sink may close, or close and open again, in response to each fix.
        while self.port === port, let event = decoder.next(in: bytes, at: &offset) { handle(event) }
        guard self.port === port else { return }
        if decoder.counts.sentences != sentences { sink?.sourceHeard() }
        if decoder.hasPendingEpoch { quiet?.restart() } else { quiet?.cancel() }
    }

    /// No further sentence has come: what is pending is complete.
    private func wireIsQuiet() {
        let port = self.port
        while self.port === port, let event = decoder.flush() { handle(event) }
    }

    private func handle(_ event: Event) {
        switch event {
        case .epoch(let epoch):
            headings.take(variation: epoch.magneticVariation)
            if let fix = Fix(epoch, receiver: receiver) { sink?.sourceFixed(fix) }
        case .heading(let told):
            if let heading = headings.heading(told, at: eventLoop.now, timestamp: clock()) {
                sink?.sourcePointed(heading)
            }
        case .acknowledgement: break
        }
    }
}
