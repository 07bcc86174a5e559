import EventLoopSupport
import LocationModel
import NIOCore
import NMEA
import ReceiverSettings

/// A receiver that sends NMEA 0183, UBX or both over any transport: bytes and their times come in, fixes and headings
/// go out. It has no descriptor and never writes to the device.
final class SentenceReceiver: FixSource {
    private let transport: any ByteTransport
    private let receiver: String
    private let isAccessory: Bool
    private let eventLoop: any EventLoop
    private let clock: () -> Timestamp
    /// Returns the time by the wall clock, in nanoseconds since 1970. `nil` if the arrivals of epochs are not needed.
    private let wallClock: (() -> Int64)?
    private var bursts = BurstTimer()
    /// Each event is handled after the decoder has returned it, so accesses never overlap. The hot path needs no check.
    @exclusivity(unchecked) private var decoder = NMEADecoder()
    private var headings = HeadingAssembly()
    private var undated = UndatedEpochs()
    private var traffic: PortTraffic
    /// The outcome of the last epoch since the transport was opened.
    private var outcome: EpochOutcome?
    /// A Boolean value indicating whether the last fix has a geoid separation of 0 that is wrong.
    private var sendsZeroSeparation = false
    private var absence: FixAbsence
    /// The diagnosis at the last closing, which holds until new bytes change it.
    private var lastDiagnosis = ReceiverDiagnosis()
    private var reportContents: ReceiverReportContents = []
    private var demand = ReceiverDemand()
    private var sink: (any FixSink)?
    /// A Boolean value indicating whether the last fix before the closing was doubtful.
    private var wasSuspect = false
    private let input = PaddedInput()
    private var isOpen = false
    /// Changes with each opening and closing. The sink may do either in response to any report.
    private var opening: UInt64 = 0
    /// A Boolean value indicating whether the transport reads the device's data correctly. Until then, events are held.
    private var isConfirmed = false
    private var held: [Event] = []
    /// The timer that is set while an epoch may be complete although no sentence has ended it.
    private let quiet: DeadlineTimer

    /// Creates a closed receiver.
    ///
    /// - Parameters:
    ///   - receiver: The name that the fixes carry.
    ///   - isAccessory: A Boolean value indicating whether a program passes the sentences on from another device.
    ///   - wallClock: Returns the time in nanoseconds since 1970, for the arrivals of epochs. Without it, these are not
    ///     reported.
    init(
        over transport: any ByteTransport, receiver: String, isAccessory: Bool = false,
        wallClock: (() -> Int64)? = nil, on eventLoop: any EventLoop, clock: @escaping () -> Timestamp
    ) {
        self.transport = transport
        self.receiver = receiver
        self.isAccessory = isAccessory
        self.eventLoop = eventLoop
        self.wallClock = wallClock
        self.clock = clock
        traffic = PortTraffic(at: eventLoop.now)
        absence = FixAbsence(at: eventLoop.now)
        quiet = DeadlineTimer(on: eventLoop)
    }

    func silence(after limit: TimeAmount) -> ReceiverFailure? {
        transport.silence(seconds: limit.nanoseconds / 1_000_000_000, diagnosis)
    }

    var silenceLimit: TimeAmount { transport.silenceLimit }

    /// A Boolean value indicating whether the last epoch was a fix.
    var hasFix: Bool { if case .fix = outcome { true } else { false } }

    /// A Boolean value indicating whether the last fix is doubtful. It outlasts the closing.
    var isSuspect: Bool { sink?.isSuspect ?? wasSuspect }

    /// The reason why there is a fix or none, as far as the received data shows.
    private var diagnosis: ReceiverDiagnosis {
        guard isOpen else { return lastDiagnosis }
        var diagnosis = traffic.diagnosis(
            outcome, decoder.counts, at: eventLoop.now, satellitesInView: decoder.satellitesInView,
            unreadFrames: unreadFrames)
        if diagnosis.condition == nil { diagnosis.condition = lastDiagnosis.condition }
        diagnosis.sendsNoChecksums = decoder.uncheckedSentences > 0
        diagnosis.hasMotionOfAnotherDevice = decoder.counts.othersMotion > 0
        diagnosis.sendsZeroSeparation = sendsZeroSeparation
        return diagnosis
    }

    /// The names of received frames that are not read, or `nil` if there were none.
    private var unreadFrames: String? {
        let names = decoder.unreadFrames.map(\.name)
        return names.isEmpty ? nil : "UBX " + names.joined(separator: ", ")
    }

    var status: SourceStatus {
        var status = transport.status
        status.diagnosis = diagnosis
        status.statistics.nmea = decoder.counts
        guard isOpen else { return status }
        status.satellites = satellites
        status.addReports(of: decoder)
        return status
    }

    var corrections: CorrectionWriter? { transport.corrections }

    private var satellites: [Satellite] { decoder.satellites.map(Satellite.init) }

    var warning: FixDoubts? {
        guard isOpen else { return nil }
        return FixDoubts(
            decoder.spoofing, decoder.jamming, hasSuspiciousCorrections: transport.hasSuspiciousCorrections)
    }

    func removeReport(_ contents: ReceiverReportContents) -> SourceReport {
        var report = SourceReport(sentences: decoder.removeSentences())
        guard isOpen, contents.contains(.satellites) else { return report }
        report.satellites = satellites
        report.errors = decoder.positionErrors
        report.jamming = decoder.jamming
        return report
    }

    func setDemand(_ demand: ReceiverDemand, reporting contents: ReceiverReportContents) {
        reportContents = contents
        decoder.keepsSentences = contents.contains(.sentences)
        var demand = demand
        demand.needsAllSentences = !contents.isEmpty
        guard demand != self.demand else { return }
        self.demand = demand
        transport.setDemand(demand)
    }

    func open(reportingTo sink: any FixSink) {
        self.sink = sink
        transport.open(for: self)
    }

    func close(toStandby: Bool) {
        // Data from before an earlier closing says nothing about the next demand.
        if toStandby { lastDiagnosis = ReceiverDiagnosis() }
        lastDiagnosis = diagnosis
        quiet.cancel()
        wasSuspect = isSuspect
        sink = nil
        isOpen = false
        opening &+= 1
        held = []
        transport.close(toStandby: toStandby)
    }

    // MARK: Called by the transport

    /// The transport is open.
    ///
    /// - Parameter isConfirmed: `false` if it is not known yet whether the transport reads the device's data correctly.
    func didOpen(isConfirmed: Bool = true, at now: NIODeadline) {
        isOpen = true
        opening &+= 1
        reset(at: now)
        self.isConfirmed = isConfirmed
        sink?.didOpen()
    }

    /// The transport could not be opened, or is lost. It is closed in response.
    func didFail(_ failure: ReceiverFailure) { sink?.didFail(failure) }

    /// Bytes arrived that are a sign of life, though they may be unreadable.
    func didReceiveUnreadableData() { sink?.didReceiveUnreadableData() }

    /// Decodes `bytes`, which were read at `now`, and handles the events in them. The hot path from the read to the
    /// handler of the fixes.
    ///
    /// - Returns: The number of sentences and frames that ended in them, or `nil` if the transport was closed within
    ///   this call, even if it was opened again.
    @discardableResult
    func receive(_ bytes: RawSpan, at now: NIODeadline) -> Int? {
        let opening = opening
        if reportContents.contains(.bytes) {
            sink?.didReceive(bytes, at: now)
            guard self.opening == opening else { return nil }
        }
        let messages = decoder.counts.messages
        if let wallClock,
            let mark = bursts.didRead(at: now, wallClock: wallClock(), epochsBegun: decoder.epochsBegun)
        {
            decoder.mark(mark)
        }
        if isConfirmed {
            if let padded = input.padded(bytes) {
                decode(padded.bytes, upTo: bytes.byteCount, from: opening, at: now)
            } else {
                decode(bytes, upTo: bytes.byteCount, from: opening, at: now)
            }
            guard self.opening == opening else { return nil }
            reportArrival()
            guard self.opening == opening else { return nil }
        } else {
            decoder.decode(bytes) { held.append($0) }
        }
        let count = Int(decoder.counts.messages &- messages)
        traffic.receive(bytes, messages: count, isFirst: messages == 0)
        if count > 0 {
            // Read before the limit learns from these bytes, and only if it can have been exceeded.
            let limit = isConfirmed && absence.mayBeOverdue(at: now) ? sink?.silenceLimit : nil
            sink?.didReceiveData(at: now)
            guard self.opening == opening else { return nil }
            if let limit, absence.isOverdue(at: now, after: limit) { sink?.didFindNoFix(diagnosis) }
            guard self.opening == opening else { return nil }
        }
        if isConfirmed { awaitSilence(since: now) }
        return count
    }

    @inline(__always)
    private func decode(_ bytes: RawSpan, upTo end: Int, from opening: UInt64, at now: NIODeadline) {
        var offset = 0
        while self.opening == opening, handle(decoder.next(in: bytes, upTo: end, at: &offset), from: opening, at: now) {
        }
    }

    /// Drops all input so far, because the transport could not read the device's data. From now on, events are held
    /// until `confirm(at:)`.
    func restart(at now: NIODeadline) {
        quiet.cancel()
        reset(at: now)
        isConfirmed = false
    }

    /// Handles the held events, because the transport reads the device's data correctly.
    func confirm(at now: NIODeadline) {
        let (opening, events) = (opening, held)
        held = []
        isConfirmed = true
        // A held fix may have come after an epoch without one.
        absence = FixAbsence(after: decoder.counts.epochsWithoutFix, at: now)
        for event in events where self.opening == opening { handle(event, at: now) }
        if self.opening == opening { awaitSilence(since: now) }
    }

    /// Starts with a new decoder each time the transport is opened or changes its settings: the date and the cycle that
    /// the old one had learned may no longer be valid.
    private func reset(at now: NIODeadline) {
        decoder = NMEADecoder(earliestDate: Plausibility.earliestLiveDate)
        decoder.keepsSentences = reportContents.contains(.sentences)
        absence = FixAbsence(at: now)
        traffic = PortTraffic(at: now)
        outcome = nil
        sendsZeroSeparation = false
        headings = HeadingAssembly()
        undated.reopen()
        bursts = BurstTimer()
        held = []
    }

    // MARK: Events

    /// Reports the arrival of the completed epoch. The fix goes first, so that apps do not wait.
    private func reportArrival() {
        // Sentences without a verified checksum must not set clocks.
        guard wallClock != nil, decoder.uncheckedSentences == 0,
            let outcome = bursts.removeOutcome(epochsBegun: decoder.epochsBegun)
        else { return }
        sink?.didTimeEpoch(outcome.arrival)
    }

    private func awaitSilence(since now: NIODeadline) {
        guard decoder.hasPendingEpoch else { return quiet.cancel() }
        quiet.set(now + .milliseconds(Int64(NMEADecoder.quietInterval))) { self.flushPendingEpoch() }
    }

    /// Completes the pending epoch, because no further sentence has arrived.
    private func flushPendingEpoch() {
        guard isOpen else { return }
        let (opening, now) = (opening, eventLoop.now)
        // The loop runs due timers before it reads. If it was held up, the rest of the epoch may be there already.
        guard !transport.hasUnread else { return awaitSilence(since: now) }
        while self.opening == opening, handle(decoder.flushInSilence(), from: opening, at: now) {}
        guard self.opening == opening else { return }
        reportArrival()
    }

    /// Handles the decoder's last result: an event or nothing, possibly after epochs without a fix. Returns whether
    /// there may be more.
    private func handle(_ event: Event?, from opening: UInt64, at now: NIODeadline) -> Bool {
        if absence.follows(decoder.counts.epochsWithoutFix, at: now) {
            outcome = .noFix
            sink?.didFindNoFix(diagnosis)
        }
        guard let event, self.opening == opening else { return false }
        handle(event, at: now)
        return true
    }

    private func handle(_ event: Event, at now: NIODeadline) {
        switch event {
        case .epoch(let epoch):
            headings.apply(variation: epoch.magneticVariation)
            if wallClock != nil { bursts.didComplete(epoch) }
            guard let (timestamp, dating) = date(epoch) else {
                if undated.lacksClock { outcome = .noClock }
                return
            }
            outcome = .fix(dating)
            sendsZeroSeparation = epoch.hasWrongZeroSeparation
            absence.didProduceFix(at: now)
            sink?.didProduceFix(
                Fix(epoch, at: timestamp, dating, receiver: receiver, isAccessory: isAccessory), at: now)
        case .heading(let heading):
            var headings = headings
            let complete = headings.heading(heading, at: now, timestamp: clock())
            self.headings = headings
            if let complete { sink?.didReportHeading(complete) }
        }
    }

    private func date(_ epoch: Epoch) -> (Timestamp, FixDating)? {
        var undated = undated
        defer { self.undated = undated }
        // This keeps the decoder from applying the same repair to the next date.
        if epoch.dateRepaired { decoder.present = clock().millisecondsSince1970 }
        return undated.date(epoch, clock: clock)
    }
}
