import Devices
import LocationModel
import Logging
import NIOCore
import NIOEmbedded
import NMEA
import Positioning
import ReceiverSettings
import Testing

@testable import LocationCore
@testable import Receivers

/// The reports of receivers, as far as somebody wants them.
@Suite struct ReceiverReportTests {
    private let loop = EmbeddedEventLoop()
    private let sources: [FakeSource]

    init() {
        sources = ["a", "b"].map { [loop] in FakeSource($0, on: loop) }
    }

    /// A receiver that does what the test makes it do.
    private final class FakeSource: FixSource {
        let name: String
        private(set) var contents: ReceiverReportContents = []
        private var kept: [UInt8] = []
        private var sink: (any FixSink)?

        private let loop: any EventLoop

        init(_ name: String, on loop: any EventLoop) { (self.name, self.loop) = (name, loop) }

        func open(reportingTo sink: any FixSink) {
            self.sink = sink
            sink.didOpen()
        }

        func close(toStandby: Bool) { sink = nil }
        func setDemand(_ demand: ReceiverDemand, reporting contents: ReceiverReportContents) {
            self.contents = contents
        }

        func removeReport(_ contents: ReceiverReportContents) -> SourceReport {
            defer { kept = [] }
            let satellites = [Satellite(constellation: .gps, number: 4)]
            return SourceReport(satellites: contents.contains(.satellites) ? satellites : [], sentences: kept)
        }

        func sendSentence(_ text: String) { kept += text.utf8 }
        func findNoFix() { sink?.didFindNoFix(ReceiverDiagnosis()) }
        func fail() { sink?.didFail(ReceiverFailure(.disconnected, "gone")) }

        func fix(_ second: Int64) {
            var location = Location(
                timestamp: Timestamp(millisecondsSince1970: second * 1000), latitude: 47, longitude: 8)
            location.horizontalAccuracy = 5
            sink?.didProduceFix(Fix(location: location), at: loop.now)
        }
    }

    private final class Record: ReceiverControlDelegate {
        /// One text for each fix and each report without a fix: the receiver, its sentences and satellites.
        var reports: [String?] = []
        var changes = 0

        func publish(_ publication: Publication, receivedAt _: NIODeadline) {
            reports.append(publication.report.map(text))
        }
        func publish(withoutFix update: ReceiverUpdate) { reports.append("no fix \(text(update))") }
        func publish(_: LocationModel.Heading) {}
        func publish(_: ReceivedBytes) {}
        func publish(availability _: Bool, to _: AccuracyAuthorization) {}

        private func text(_ report: ReceiverUpdate) -> String {
            "\(report.receiver):\(String(decoding: report.sentences ?? [], as: UTF8.self)):\(report.satellites.count)"
        }
    }

    private func control() -> (ReceiverControl, Record) {
        let receivers = sources.map { Receiver(.simulated(route: nil), name: $0.name, on: loop, source: $0) }
        let control = ReceiverControl(
            receivers, on: loop, clock: { Timestamp(millisecondsSince1970: 0) },
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let record = Record()
        control.delegate = record
        control.changes.observe([.receivers]) { record.changes += 1 }
        control.follow(.continuous)
        return (control, record)
    }

    @Test func nothingIsReportedUnlessItIsWanted() {
        let (control, record) = control()
        sources[0].fix(1)
        sources[0].findNoFix()
        #expect(record.reports == [nil])
        #expect(sources[0].contents == [])
        control.follow(.continuous, reporting: .satellites)
        #expect(sources.allSatisfy { $0.contents == .satellites })
        sources[0].fix(2)
        #expect(record.reports.last == "a::1")
        control.follow(.continuous)
        sources[0].fix(3)
        #expect(record.reports.last == .some(nil) && sources[0].contents == [])
    }

    /// Attack on the truth: the sentences of a receiver that does not count appear later, with another's epoch or with
    /// a much later one.
    @Test func sentencesBelongToTheEpochThatCounts() {
        let (control, record) = control()
        control.follow(.continuous, reporting: [.satellites, .sentences])
        sources[0].sendSentence("a1")
        sources[0].fix(1)
        sources[1].sendSentence("b1")
        sources[1].fix(1)
        sources[1].sendSentence("b2")
        sources[1].findNoFix()
        #expect(record.reports == ["a:a1:1"])
        sources[0].fail()
        sources[1].sendSentence("b4")
        sources[1].fix(4)
        #expect(record.reports == ["a:a1:1", "b:b4:1"])
    }

    @Test func aReceiverWithoutAFix() {
        let (control, record) = control()
        control.follow(.continuous, reporting: .sentences)
        sources[0].sendSentence("void")
        sources[0].findNoFix()
        #expect(record.reports == ["no fix a:void:0"])
    }

    @Test func receiversThatComeAndGo() {
        let (control, record) = control()
        var before = record.changes
        func hasChanged() -> Bool {
            defer { before = record.changes }
            return record.changes > before
        }
        sources[0].fix(1)
        #expect(hasChanged())
        sources[0].fix(2)
        #expect(!hasChanged())
        sources[0].fail()
        #expect(hasChanged())
        control.replace(with: [control.receivers[1]])
        #expect(hasChanged())
        control.replace(with: control.receivers)
        #expect(!hasChanged())
    }
}
