import CLinux
import EventLoopSupport
import Glibc
import LocationModel
import NIOCore
import NIOPosix
import NMEA

/// A receiver that sends NMEA 0183 through a serial port, read by the event loop. Nothing is ever written to it
/// but what its power needs, if that was asked for.
final class SerialSource: FixSource {
    private let path: String
    private let line: BaudRateDetection
    private let receiver: String
    private let eventLoop: any EventLoop
    private let clock: () -> Timestamp
    private let power: PowerControl?
    /// What was read with settings that may be the right ones.
    private var held: [Event] = []
    /// What it gives is handled after it has returned, so no two uses of it overlap: that needs no check in the hot path.
    @exclusivity(unchecked) private var decoder = NMEADecoder()
    private var headings = HeadingAssembly()
    private var sink: (any FixSink)?
    private var port: SerialPortHandler?
    /// Set while an epoch may be complete that nothing has ended.
    private let quiet: DeadlineTimer

    /// - Parameters:
    ///   - baudRate: The speed, with 8N1; `nil`: speed and framing are found out.
    ///   - device: What `memory` knows the device as; `path` by default.
    init(
        path: String, baudRate: Int?, device: String? = nil, memory: (any SerialSettingsMemory)? = nil,
        receiver: String,
        power: ReceiverPower? = nil, on eventLoop: any EventLoop, clock: @escaping () -> Timestamp
    ) {
        self.path = path
        line = BaudRateDetection(
            path: path, given: baudRate.map { SerialSettings($0) }, device: device ?? path, memory: memory,
            on: eventLoop)
        self.receiver = receiver
        self.eventLoop = eventLoop
        quiet = DeadlineTimer(on: eventLoop)
        self.clock = clock
        self.power = power.map { PowerControl($0, on: eventLoop) }
        line.onAction = { [unowned self] in perform($0) }
    }

    var silence: ReceiverFailure? { line.silence(seconds: silenceLimit.nanoseconds / 1_000_000_000) }

    var silenceLimit: TimeAmount { power?.silenceLimit ?? Supervisor.silenceLimit }

    var satellites: [Satellite] { port == nil ? [] : decoder.satellites.map(Satellite.init) }

    var serialSettings: SerialSettings? { port == nil || line.isLooking ? nil : line.settings }

    var isDetecting: Bool { port != nil && line.isLooking }

    var statistics: ReceiverStatistics {
        var statistics = ReceiverStatistics()
        statistics.nmea = decoder.counts
        return statistics
    }

    func open(reportingTo sink: any FixSink) {
        let descriptor = tty_open(path, UInt32(line.settings.bitsPerSecond))
        guard descriptor >= 0 else { return sink.didFail(.opening(path, error: -descriptor)) }
        self.sink = sink
        let port = SerialPortHandler(descriptor: descriptor, source: self)
        self.port = port
        line.open()
        if line.isAutomatic { port.set(line.settings) }
        forget()
        power?.opened(descriptor, baudRate: line.settings.bitsPerSecond)
        if !line.isLooking { power?.lineFound(baudRate: line.settings.bitsPerSecond) }
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
        quiet.cancel()
        sink = nil
        self.port = nil
        held = []
        line.close()
        port?.close()
        power?.closed()
    }

    private func portOpened() {
        sink?.didOpen()
    }

    /// The port was closed, and not by `close()`.
    func portClosed(_ error: (any Error)?) {
        let reason = error.map { ": \($0)" } ?? ""
        sink?.didFail(ReceiverFailure(.disconnected, "\(path) has gone: unplugged, or closed\(reason)"))
    }

    /// The hot path: from the read of the bytes to the handler of the fixes in them.
    func receive(_ bytes: RawSpan, from port: SerialPortHandler) {
        let sentences = decoder.counts.sentences
        if line.isLooking {
            decoder.decode(bytes) { held.append($0) }
            if line.isSearchYoung { sink?.didReceiveData() }
        } else {
            var offset = 0
            // The sink may close, or close and open again, in response to each fix.
            while self.port === port, let event = decoder.next(in: bytes, at: &offset) { handle(event) }
            guard self.port === port else { return }
        }
        let count = Int(decoder.counts.sentences &- sentences)
        if count > 0 { sink?.didReceiveData() }
        if let action = line.take(bytes, sentences: count) { perform(action) }
        guard self.port === port, !line.isLooking else { return }
        guard decoder.hasPendingEpoch else { return quiet.cancel() }
        quiet.set(eventLoop.now + .milliseconds(Int64(NMEADecoder.quietInterval))) { self.wireIsQuiet() }
    }

    private func perform(_ action: BaudRateDetector.Action) {
        switch action {
        case .use(let settings):
            quiet.cancel()
            power?.lineLost()
            forget()
            port?.set(settings)
            port?.dropUnread()
        case .dropUnread:
            forget()
            port?.dropUnread()
        case .settle(let settings):
            power?.lineFound(baudRate: settings.bitsPerSecond)
            let (port, events) = (self.port, held)
            held = []
            for event in events where self.port === port { handle(event) }
        }
    }

    /// Begins with a decoder of its own for each time that the port is opened or read in another way: the date and the cycle
    /// of the last time may not hold any more.
    private func forget() {
        decoder = NMEADecoder(earliestDate: Plausibility.earliestLiveDate)
        headings = HeadingAssembly()
        held = []
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
            if let fix = Fix(epoch, receiver: receiver) { sink?.didProduceFix(fix) }
        case .heading(let told):
            if let heading = headings.heading(told, at: eventLoop.now, timestamp: clock()) {
                sink?.didReportHeading(heading)
            }
        case .acknowledgement: break
        }
    }
}
