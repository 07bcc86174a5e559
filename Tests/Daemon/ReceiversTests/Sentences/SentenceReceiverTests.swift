import Devices
import LocationModel
import NIOCore
import NIOEmbedded
import NMEA
import TestSupport
import Testing
import TimeTransfer

@testable import Receivers

/// Bytes and times go in, updates come out: without a descriptor, in a time that the test controls.
@Suite struct SentenceReceiverTests {
    /// Records the reports, in words, and responds to each as the test says.
    private final class Sink: FixSink {
        var reports: [String] = []
        var fixes: [Fix] = []
        var arrivals: [EpochArrival?] = []
        let silenceLimit = TimeAmount.seconds(5)
        var isSuspect = false
        var onReport: (String) -> Void = { _ in }

        private func add(_ report: String) {
            reports.append(report)
            onReport(report)
        }

        func didOpen() { add("open") }
        func didReceiveData(at now: NIODeadline) {}
        func didReceiveUnreadableData() { add("unreadable") }
        func didReportHeading(_ heading: LocationModel.Heading) { add("heading") }
        func didReceive(_ bytes: RawSpan, at now: NIODeadline) { add("bytes") }
        func didFindNoFix(_: ReceiverDiagnosis) { add("no fix") }
        func didFail(_ failure: ReceiverFailure) { add(failure.reason.rawValue) }

        func didProduceFix(_ fix: Fix, at now: NIODeadline) {
            fixes.append(fix)
            add("fix")
        }

        func didTimeEpoch(_ arrival: EpochArrival?) {
            arrivals.append(arrival)
            add("arrival")
        }
    }

    private let loop = EmbeddedEventLoop()
    private let sink = Sink()
    private let transport: FakeTransport
    private let receiver: SentenceReceiver

    init() {
        loop.advanceTime(by: .seconds(1000))
        (transport, receiver) = Self.make(on: loop)
    }

    private static func make(
        on loop: EmbeddedEventLoop, wallClock: (() -> Int64)? = nil
    ) -> (FakeTransport, SentenceReceiver) {
        let transport = FakeTransport(on: loop)
        let receiver = SentenceReceiver(
            over: transport, receiver: "gps", wallClock: wallClock, on: loop, clock: { Journey.departure })
        return (transport, receiver)
    }

    private func receive(_ bytes: [UInt8]) -> Int? { receiver.receive(bytes.span.bytes, at: loop.now) }

    private func receive(_ text: String) -> Int? { receive(Array(text.utf8)) }

    /// Passes on one epoch a second.
    private func play(_ epochs: some Sequence<[UInt8]>) {
        for epoch in epochs {
            _ = receive(epoch)
            loop.advanceTime(by: .seconds(1))
        }
    }

    @Test func eachEpochIsAFixWithTheReceiversName() {
        let journey = Journey(count: 5)
        receiver.open(reportingTo: sink)
        play(journey.epochs)
        #expect(sink.reports == ["open"] + Array(repeating: "fix", count: 5))
        #expect(sink.fixes.map(\.location.timestamp) == journey.timestamps)
        #expect(sink.fixes.allSatisfy { $0.location.receiver == "gps" })
        #expect(receiver.status.satellites.count == 15)
        #expect(receiver.status.diagnosis.condition == .fix)
    }

    @Test func aDoubtOutlastsTheClosing() {
        receiver.open(reportingTo: sink)
        #expect(!receiver.isSuspect)
        sink.isSuspect = true
        #expect(receiver.isSuspect)
        receiver.close(toStandby: true)
        sink.isSuspect = false
        #expect(receiver.isSuspect)
        receiver.open(reportingTo: sink)
        #expect(!receiver.isSuspect)
    }

    @Test func aWrongSeparationOfZeroIsDiagnosedUntilTheNextFix() {
        receiver.open(reportingTo: sink)
        for (second, separation) in ["0.0", "0.0", "46.9", "46.9"].enumerated() {
            for body in [
                "GPRMC,12000\(second),A,4807.0380,N,01131.0000,E,0.0,,251126,,,A",
                "GPGGA,12000\(second),4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,\(separation),M,,",
            ] { _ = receive(SentenceFixture.sentence(body)) }
            loop.advanceTime(by: .seconds(1))
            #expect(sink.fixes.count == second + 1)
            #expect(receiver.status.diagnosis.sendsZeroSeparation == (separation == "0.0"))
        }
    }

    @Test func theNumberOfMessagesInTheBytesIsReturned() throws {
        receiver.open(reportingTo: sink)
        let sentence = Array(SentenceFixture.sentence("GPTXT,01,01,02,ready").utf8)
        #expect(receive(sentence + sentence) == 2)
        #expect(receive(Array(sentence.prefix(10))) == 0)
        #expect(receive(Array(sentence.dropFirst(10))) == 1)
        #expect(receive("garbage") == 0)
    }

    @Test func whereTheBytesAreCutMakesNoDifference() {
        let journey = Journey(count: 5)
        receiver.open(reportingTo: sink)
        for epoch in journey.epochs {
            for byte in epoch { _ = receive([byte]) }
            loop.advanceTime(by: .seconds(1))
        }
        #expect(sink.fixes.map(\.location.timestamp) == journey.timestamps)
    }

    @Test func silenceEndsEpochsUntilTheirLastSentenceIsKnown() {
        let journey = Journey(count: 4)
        receiver.open(reportingTo: sink)
        _ = receive(journey.epochs[0])
        loop.advanceTime(by: .milliseconds(149))
        #expect(sink.fixes.isEmpty)
        loop.advanceTime(by: .milliseconds(1))
        #expect(sink.fixes.count == 1)
        loop.advanceTime(by: .milliseconds(850))
        play(journey.epochs[1...2])
        _ = receive(journey.epochs[3])
        #expect(sink.fixes.count == 4)
    }

    @Test func bytesThatWaitToBeReadAreNoSilence() {
        receiver.open(reportingTo: sink)
        _ = receive(Journey(count: 1).bytes)
        transport.hasUnread = true
        loop.advanceTime(by: .seconds(2))
        #expect(sink.fixes.isEmpty)
        transport.hasUnread = false
        loop.advanceTime(by: .milliseconds(150))
        #expect(sink.fixes.count == 1)
    }

    @Test func fixesAreHeldUntilTheBytesAreConfirmed() {
        let journey = Journey(count: 5)
        transport.isConfirmed = false
        receiver.open(reportingTo: sink)
        play(journey.epochs[0..<2])
        // Read at another speed: the data before makes no fix.
        receiver.restart(at: loop.now)
        play(journey.epochs[2..<5])
        #expect(sink.reports == ["open"])
        receiver.confirm(at: loop.now)
        loop.advanceTime(by: .seconds(1))
        #expect(sink.fixes.map(\.location.timestamp) == Array(journey.timestamps[2...]))
    }

    @Test func aRestartDropsAnEpochThatWaitsForItsEnd() {
        receiver.open(reportingTo: sink)
        _ = receive(Journey(count: 1).bytes)
        receiver.restart(at: loop.now)
        loop.advanceTime(by: .seconds(1))
        receiver.confirm(at: loop.now)
        loop.advanceTime(by: .seconds(1))
        #expect(sink.reports == ["open"])
    }

    @Test func aSinkThatClosesItAtAFixGetsNoMore() {
        receiver.open(reportingTo: sink)
        sink.onReport = { [receiver] in if $0 == "fix" { receiver.close(toStandby: false) } }
        #expect(receive(Journey(count: 3).bytes) == nil)
        loop.advanceTime(by: .seconds(1))
        #expect(sink.reports == ["open", "fix"])
        #expect(transport.closings == 1)
        #expect(receiver.status.satellites.isEmpty)
    }

    /// The rest of the bytes belongs to the previous opening.
    @Test func aSinkThatClosesAndOpensItAtAFixGetsNoMoreOfTheseBytes() {
        let journey = Journey(count: 5)
        receiver.open(reportingTo: sink)
        sink.onReport = { [receiver, sink] in
            guard $0 == "fix" else { return }
            sink.onReport = { _ in }
            receiver.close(toStandby: false)
            receiver.open(reportingTo: sink)
        }
        #expect(receive(journey.epochs[0..<4].flatMap(\.self)) == nil)
        loop.advanceTime(by: .seconds(1))
        #expect(sink.reports == ["open", "fix", "open"])
        play(journey.epochs[4...])
        #expect(sink.fixes.map(\.location.timestamp) == [journey.timestamps[0], journey.timestamps[4]])
    }

    @Test func aSinkThatClosesItWhenEventsAreReleasedGetsNoMore() {
        transport.isConfirmed = false
        receiver.open(reportingTo: sink)
        play(Journey(count: 4).epochs)
        sink.onReport = { [receiver] in if $0 == "fix" { receiver.close(toStandby: false) } }
        receiver.confirm(at: loop.now)
        loop.advanceTime(by: .seconds(1))
        #expect(sink.reports == ["open", "fix"])
    }

    @Test func anEpochWithoutAFixIsReported() {
        receiver.open(reportingTo: sink)
        _ = receive(SentenceFixture.sentence("GPRMC,120000.00,V,,,,,,,231126,,,N"))
        loop.advanceTime(by: .seconds(1))
        #expect(sink.reports == ["open", "no fix"])
        #expect(receiver.status.diagnosis.condition == .noSatellites)
    }

    @Test func sentencesWithoutAnyEpochAreReportedAfterTheLimitOfSilence() {
        receiver.open(reportingTo: sink)
        var reported: [Int] = []
        for second in 0...12 {
            let before = sink.reports.count
            _ = receive(SentenceFixture.sentence("GPTXT,01,01,02,ready"))
            if sink.reports.count > before { reported.append(second) }
            loop.advanceTime(by: .seconds(1))
        }
        #expect(reported == [6, 12])
        #expect(sink.reports == ["open", "no fix", "no fix"])
    }

    @Test func aTransportThatFailsIsReportedWhileItIsOpenOnly() {
        transport.failure = ReceiverFailure(.missing, "not there")
        receiver.open(reportingTo: sink)
        receiver.close(toStandby: false)
        transport.failure = nil
        receiver.open(reportingTo: sink)
        receiver.didFail(ReceiverFailure(.disconnected, "gone"))
        receiver.close(toStandby: false)
        receiver.didFail(ReceiverFailure(.disconnected, "gone again"))
        #expect(sink.reports == ["missing", "open", "disconnected"])
    }

    @Test func theDiagnosisBeforeAClosingRemains() {
        receiver.open(reportingTo: sink)
        _ = receive([UInt8](repeating: 0x80, count: 2 * PortTraffic.unreadableLength))
        #expect(receiver.status.diagnosis.condition == .unreadable)
        receiver.close(toStandby: false)
        #expect(receiver.status.diagnosis.condition == .unreadable)
        receiver.open(reportingTo: sink)
        #expect(receiver.status.diagnosis.condition == .unreadable)
        receiver.close(toStandby: true)
        #expect(receiver.status.diagnosis.condition == nil)
        #expect(receiver.silence(after: .seconds(5))?.message == "silent for 5 s")
    }

    @Test func eachFixIsFollowedByTheArrivalOfItsEpoch() throws {
        let (_, receiver) = Self.make(on: loop, wallClock: { 1_795_000_000 })
        receiver.open(reportingTo: sink)
        for epoch in Journey(count: 4).epochs {
            _ = receiver.receive(epoch.span.bytes, at: loop.now)
            loop.advanceTime(by: .seconds(1))
        }
        #expect(sink.reports == ["open"] + Array(repeating: ["fix", "arrival"], count: 4).flatMap(\.self))
        // The bytes that follow the opening may be the end of an epoch.
        #expect(sink.arrivals[0] == nil)
        for (second, arrival) in sink.arrivals.enumerated().dropFirst() {
            let clocks = try #require(arrival?.clocks)
            #expect(clocks.wall == 1_795_000_000)
            #expect(clocks.steady == 1_000_000_000_000 + Int64(second) * 1_000_000_000)
        }
    }

    @Test func theStatusHasWhatTheTransportAndTheSentencesSay() {
        transport.status = SourceStatus(serialSettings: SerialSettings(4800), battery: 80)
        receiver.open(reportingTo: sink)
        play(Journey(count: 5).epochs)
        let status = receiver.status
        #expect(status.serialSettings == SerialSettings(4800) && status.battery == 80)
        #expect(status.statistics.nmea?.epochs == 5 && status.satellites.count == 15)
    }

    @Test func theDeviceIsSentToStandbyWhenItIsStoppedAndNotWhenItIsLost() {
        let receiver = Receiver(.simulated(route: nil), name: "fake", on: loop, source: self.receiver)
        receiver.start()
        loop.advanceTime(by: .seconds(5))
        #expect(receiver.state == .lost(ReceiverFailure(.silent, "silent for 5 s")))
        #expect(transport.closings == 1 && transport.standbys == 0)
        receiver.stop()
        #expect(transport.closings == 2 && transport.standbys == 1)
    }

    /// A device that takes long to connect has a shorter limit once it is connected.
    @Test func theLimitOfSilenceIsThatOfTheOpenTransport() {
        let transport = FakeTransport(on: loop)
        transport.silenceLimit = .seconds(75)
        transport.onOpen = { transport.silenceLimit = .seconds(5) }
        let source = SentenceReceiver(over: transport, receiver: "fake", on: loop) { ReceiverProbe.now() }
        let receiver = Receiver(.bluetooth(address: "10:C6:FC:12:34:56"), name: "fake", on: loop, source: source)
        receiver.start()
        loop.advanceTime(by: .seconds(5))
        #expect(receiver.state == .lost(ReceiverFailure(.silent, "silent for 5 s")))
    }
}
