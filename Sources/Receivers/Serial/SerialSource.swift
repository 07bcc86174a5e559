import CLinux
import EventLoopSupport
import Glibc
import LocationModel
import NIOCore
import NIOPosix
import NMEA

/// A receiver that sends NMEA 0183, UBX or both through a serial port, read by the event loop. Nothing is ever written
/// to the port except the commands of `power`, if set.
final class SerialSource: FixSource {
    private let path: String
    private let detection: BaudRateDetection
    private let receiver: String
    private let eventLoop: any EventLoop
    private let clock: () -> Timestamp
    private let power: PowerControl?
    /// Returns the time by the wall clock, in nanoseconds since 1970. `nil` if nobody needs the arrivals of epochs.
    private let wallClock: (() -> Int64)?
    private var bursts = BurstTimer()
    /// Events decoded with settings that are not confirmed yet.
    private var held: [Event] = []
    /// Each event is handled after the decoder has returned it, so accesses never overlap. The hot path needs no check.
    @exclusivity(unchecked) private var decoder = NMEADecoder()
    private var headings = HeadingAssembly()
    private var undated = UndatedEpochs()
    private var traffic: PortTraffic
    /// What was known when the port was closed, while it waits to be opened again because nothing could be read.
    private var lastDiagnosis = ReceiverDiagnosis()
    private var reportContents: ReceiverReportContents = []
    private var absence: FixAbsence
    private var sink: (any FixSink)?
    private var port: SerialPortHandler?
    /// The timer that is set while an epoch may be complete although no sentence has ended it.
    private let quiet: DeadlineTimer

    /// Creates a closed source.
    ///
    /// - Parameters:
    ///   - baudRate: The baud rate, with 8N1 framing, or `nil` to detect baud rate and framing.
    ///   - device: The name of the device in `memory`; `path` by default.
    ///   - wallClock: Returns the time in nanoseconds since 1970, for the arrivals of epochs, which are not reported
    ///     without it.
    init(
        path: String, baudRate: Int?, device: String? = nil, memory: (any SerialSettingsMemory)? = nil,
        receiver: String,
        power: ReceiverPower? = nil, wallClock: (() -> Int64)? = nil, on eventLoop: any EventLoop,
        clock: @escaping () -> Timestamp
    ) {
        self.path = path
        detection = BaudRateDetection(
            path: path, given: baudRate.map { SerialSettings($0) }, device: device ?? path, memory: memory,
            on: eventLoop)
        self.receiver = receiver
        self.eventLoop = eventLoop
        quiet = DeadlineTimer(on: eventLoop)
        absence = FixAbsence(at: eventLoop.now)
        traffic = PortTraffic(at: eventLoop.now)
        self.clock = clock
        self.wallClock = wallClock
        self.power = power.map { PowerControl($0, on: eventLoop) }
        detection.onAction = { [unowned self] in perform($0) }
    }

    var silence: ReceiverFailure? { silence(after: silenceLimit) }

    func silence(after limit: TimeAmount) -> ReceiverFailure? {
        detection.silence(seconds: limit.nanoseconds / 1_000_000_000, diagnosis)
    }

    var diagnosis: ReceiverDiagnosis {
        guard port != nil else { return lastDiagnosis }
        var diagnosis = traffic.diagnosis(
            decoder.counts, at: eventLoop.now, satellitesInView: decoder.satellitesInView, unreadFrames: unreadFrames)
        if diagnosis.condition == nil { diagnosis.condition = lastDiagnosis.condition }
        return diagnosis
    }

    /// The names of the frames that came and are not read, or `nil` if there were none.
    private var unreadFrames: String? {
        let names = decoder.unreadFrames.map(\.name)
        return names.isEmpty ? nil : "UBX " + names.joined(separator: ", ")
    }

    var silenceLimit: TimeAmount { power?.silenceLimit ?? Supervisor.silenceLimit }

    var satellites: [Satellite] { port == nil ? [] : decoder.satellites.map(Satellite.init) }

    var serialSettings: SerialSettings? { port == nil || detection.isLooking ? nil : detection.settings }

    var isDetecting: Bool { port != nil && detection.isLooking }

    var statistics: ReceiverStatistics {
        var statistics = ReceiverStatistics()
        statistics.nmea = decoder.counts
        return statistics
    }

    func open(reportingTo sink: any FixSink) {
        let descriptor = tty_open(path, UInt32(detection.settings.bitsPerSecond))
        guard descriptor >= 0 else { return sink.didFail(.opening(path, error: -descriptor)) }
        self.sink = sink
        let port = SerialPortHandler(descriptor: descriptor, source: self)
        self.port = port
        detection.open { [unowned port] in port.hasUnread }
        if detection.isAutomatic { port.set(detection.settings) }
        forget()
        power?.opened(descriptor, baudRate: detection.settings.bitsPerSecond)
        if !detection.isLooking { power?.baudRateDetected(baudRate: detection.settings.bitsPerSecond) }
        let handler = NIOLoopBound(port, eventLoop: eventLoop)
        NIOPipeBootstrap(group: eventLoop)
            // The tty driver returns at most 4095 bytes at a time.
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

    var positionErrors: PositionErrors? { port == nil ? nil : decoder.positionErrors }

    var jamming: Jamming? { port == nil ? nil : decoder.jamming }

    let hasSentences = true

    func setReportContents(_ contents: ReceiverReportContents) {
        reportContents = contents
        decoder.keepsSentences = contents.contains(.sentences)
    }

    func removeSentences() -> [UInt8] { decoder.removeSentences() }

    func setInterval(seconds: Double?) {
        power?.setInterval(seconds: seconds)
    }

    func standBy() {
        power?.standBy()
        lastDiagnosis = ReceiverDiagnosis()
    }

    func close() {
        let port = self.port
        lastDiagnosis = diagnosis
        quiet.cancel()
        sink = nil
        self.port = nil
        held = []
        detection.close()
        port?.close()
        power?.closed()
    }

    private func portOpened() {
        sink?.didOpen()
    }

    /// Reports a port that was closed other than by `close()`.
    func portClosed(_ error: (any Error)?) {
        let reason = error.map { ": \($0)" } ?? ""
        sink?.didFail(ReceiverFailure(.disconnected, "\(path) has gone: unplugged, or closed\(reason)"))
    }

    /// Decodes `bytes` and handles the events in them. The hot path from the read to the handler of the fixes.
    func receive(_ bytes: RawSpan, from port: SerialPortHandler) {
        let messages = decoder.counts.messages
        if let wallClock,
            let mark = bursts.didRead(at: eventLoop.now, wallClock: wallClock(), epochsBegun: decoder.epochsBegun)
        {
            decoder.mark(mark)
        }
        if detection.isLooking {
            decoder.decode(bytes) { held.append($0) }
            if detection.acceptsUnreadableBytes { sink?.didReceiveUnreadableData() }
        } else {
            var offset = 0
            // The sink may close the source, or close and open it again, in response to each fix.
            while self.port === port, handle(decoder.next(in: bytes, at: &offset), from: port) {}
            guard self.port === port else { return }
            reportArrival()
            guard self.port === port else { return }
        }
        let count = Int(decoder.counts.messages &- messages)
        let limit = sink?.silenceLimit ?? silenceLimit
        traffic.receive(bytes, messages: count, isFirst: messages == 0)
        if count > 0 { sink?.didReceiveData() }
        if let action = detection.receive(bytes, sentences: count) { perform(action) }
        guard self.port === port, !detection.isLooking else { return }
        if count > 0, absence.isOverdue(at: eventLoop.now, after: limit) { sink?.didFindNoFix() }
        guard self.port === port else { return }
        guard decoder.hasPendingEpoch else { return quiet.cancel() }
        setQuietTimer()
    }

    /// Reports the arrival of the epoch that was completed, after its fix: apps should not wait for it.
    private func reportArrival() {
        guard wallClock != nil, let outcome = bursts.removeOutcome(epochsBegun: decoder.epochsBegun) else { return }
        sink?.didTimeEpoch(outcome.arrival)
    }

    private func setQuietTimer() {
        quiet.set(eventLoop.now + .milliseconds(Int64(NMEADecoder.quietInterval))) { self.flushPendingEpoch() }
    }

    private func perform(_ action: BaudRateDetector.Action) {
        switch action {
        case .use(let settings):
            quiet.cancel()
            power?.baudRateLost()
            forget()
            port?.set(settings)
            port?.dropUnread()
        case .dropUnread:
            forget()
            port?.dropUnread()
        case .settle(let settings):
            power?.baudRateDetected(baudRate: settings.bitsPerSecond)
            let (port, events) = (self.port, held)
            held = []
            // A fix may be held that came after an epoch without one.
            absence = FixAbsence(after: decoder.counts.epochsWithoutFix, at: eventLoop.now)
            for event in events where self.port === port { handle(event) }
        }
    }

    /// Starts with a new decoder each time the port is opened or the settings change: the date and the cycle that the
    /// old one had learned may no longer be valid.
    private func forget() {
        decoder = NMEADecoder(earliestDate: Plausibility.earliestLiveDate)
        decoder.keepsSentences = reportContents.contains(.sentences)
        absence = FixAbsence(at: eventLoop.now)
        traffic = PortTraffic(at: eventLoop.now)
        headings = HeadingAssembly()
        undated.reopen()
        bursts = BurstTimer()
        held = []
    }

    /// Completes the pending epoch, because no further sentence has arrived.
    private func flushPendingEpoch() {
        let port = self.port
        // The loop runs due timers before it reads: if it was held up, the rest of the epoch may be there already.
        guard port?.hasUnread != true else { return setQuietTimer() }
        guard let port else { return }
        while self.port === port, handle(decoder.flushInSilence(), from: port) {}
        guard self.port === port else { return }
        reportArrival()
    }

    /// Handles what the decoder has just returned: an event, or nothing, after epochs without a fix or none. Returns
    /// whether there may be more.
    private func handle(_ event: Event?, from port: SerialPortHandler) -> Bool {
        if absence.follows(decoder.counts.epochsWithoutFix, at: eventLoop.now) {
            traffic.outcome = .noFix
            sink?.didFindNoFix()
        }
        guard let event, self.port === port else { return false }
        handle(event)
        return true
    }

    private func handle(_ event: Event) {
        switch event {
        case .epoch(let epoch):
            headings.apply(variation: epoch.magneticVariation)
            if wallClock != nil { bursts.didComplete(epoch) }
            guard let fix = undated.fix(epoch, receiver: receiver, clock: clock) else {
                if undated.lacksClock { traffic.outcome = .noClock }
                return
            }
            traffic.outcome = .fix(fix.dating)
            absence.didProduceFix(at: eventLoop.now)
            sink?.didProduceFix(fix)
        case .heading(let heading):
            if let heading = headings.heading(heading, at: eventLoop.now, timestamp: clock()) {
                sink?.didReportHeading(heading)
            }
        case .acknowledgement: break
        }
    }
}
