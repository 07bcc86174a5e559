import LocationModel
import NIOCore
import NMEA
import SentenceWriting
import Testing

@testable import Receivers

struct HeadingAssemblyTests {
    /// A sentence without `$` and checksum, its time in seconds, and the heading that results.
    private struct Step: CustomTestStringConvertible, Sendable {
        var seconds = 0.0
        var sentence: String
        var magnetic: Double?
        var `true`: Double?

        var testDescription: String { sentence }
    }

    private static let rmc = "GPRMC,120000,A,4807.038,N,01131.000,E,0.1,,230326,3.1,W,A"
    private static let rmcWithoutVariation = "GPRMC,120001,A,4807.038,N,01131.000,E,0.1,,230326,,,A"

    private static func rounded(_ degrees: Double?) -> Double? { degrees.map { ($0 * 1000).rounded() / 1000 } }

    @Test(arguments: [
        // The compass sends the variation, or the deviation that is to be added.
        [Step(sentence: "HCHDG,98.3,,,12.6,W", magnetic: 98.3, true: 85.7)],
        [Step(sentence: "HCHDG,358,1.5,E,2,E", magnetic: 359.5, true: 1.5)],
        // The variation is unknown.
        [Step(sentence: "HCHDM,238.5,M", magnetic: 238.5)],
        [Step(sentence: "HEHDT,101.5,T", true: 101.5)],
        [Step(sentence: "GPTHS,77.5,A", true: 77.5)],
        [Step(sentence: "GPTHS,77.5,S", true: 77.5)],
        [Step(sentence: "PASHR,130533.620,103.5,T,-0.01,+0.2,+0.0,0.1,0.1,0.4,1,0", true: 103.5)],
        [Step(sentence: "GPTHS,77.5,V")],
        [Step(sentence: "HEHDT,,T")],
        // The position sentences contain the variation, and it stays known.
        [
            Step(sentence: rmc), Step(seconds: 0.2, sentence: "HCHDM,238.5,M", magnetic: 238.5, true: 235.4),
            Step(seconds: 1, sentence: rmcWithoutVariation),
            Step(seconds: 30, sentence: "HEHDT,1.5,T", magnetic: 4.6, true: 1.5),
        ],
        [Step(sentence: rmc), Step(sentence: "HCHDM,2.0,M", magnetic: 2, true: 358.9)],
        // The compass's own variation takes precedence, also for another compass on the same port.
        [
            Step(sentence: rmc), Step(sentence: "HCHDG,98.3,,,2,E", magnetic: 98.3, true: 100.3),
            Step(sentence: "HCHDM,100,M", magnetic: 100, true: 102),
        ],
        // Two compasses: the newest heading of both, if the other one's is at most a second old.
        [
            Step(sentence: "HEHDT,101.5,T", true: 101.5),
            Step(seconds: 0.1, sentence: "HCHDM,98.5,M", magnetic: 98.5, true: 101.5),
            Step(seconds: 1, sentence: "HEHDT,102.5,T", magnetic: 98.5, true: 102.5),
            Step(seconds: 1.1, sentence: "HEHDT,103.5,T", magnetic: 98.5, true: 103.5),
            Step(seconds: 1.101, sentence: "HEHDT,104.5,T", true: 104.5),
            Step(seconds: 2.102, sentence: "HCHDG,99.5,,,,", magnetic: 99.5),
        ],
    ])
    private func aHeadingIsCompletedFromWhatElseIsKnown(steps: [Step]) {
        var assembly = HeadingAssembly()
        var decoder = NMEADecoder()
        for step in steps {
            var writer = SentenceWriter()
            writer.add(step.sentence)
            var offset = 0
            var heading: LocationModel.Heading?
            while let event = decoder.next(in: writer.bytes.span.bytes, at: &offset) ?? decoder.flush() {
                switch event {
                case .epoch(let epoch): assembly.apply(variation: epoch.magneticVariation)
                case .heading(let measured):
                    heading = assembly.heading(
                        measured, at: .uptimeNanoseconds(UInt64(step.seconds * 1e9)),
                        timestamp: Timestamp(millisecondsSince1970: 5))
                }
            }
            #expect(Self.rounded(heading?.magneticHeading) == step.magnetic, "\(step.sentence)")
            #expect(Self.rounded(heading?.trueHeading) == step.true, "\(step.sentence)")
            if let heading { #expect(heading.timestamp == Timestamp(millisecondsSince1970: 5)) }
        }
    }

    @Test(arguments: [
        (0.0, 0.0, 0.0), (1, 1, 0), (350, 20, 330), (10, -20, 30), (359.999, -0.001, 0),
        (0, 1e-300, 0), (360, 0, 0), (720, 0, 0),
    ])
    func itGoesRound(trueHeading: Double, variation: Double, magnetic: Double) throws {
        var assembly = HeadingAssembly()
        let given = assembly.heading(
            true: trueHeading, magnetic: nil, variation: variation, at: .uptimeNanoseconds(0),
            timestamp: Timestamp(millisecondsSince1970: 0))
        let heading = try #require(given)
        #expect(Self.rounded(heading.magneticHeading) == magnetic)
        #expect((0..<360).contains(try #require(heading.magneticHeading)))
        #expect((0..<360).contains(try #require(heading.trueHeading)))
    }

    @Test(arguments: [(nil, nil), (0.0, nil), (0.4, 0.4)] as [(Double?, Double?)])
    func anAccuracyOf0IsNone(told: Double?, given: Double?) {
        var assembly = HeadingAssembly()
        let heading = assembly.heading(
            true: 1, magnetic: nil, accuracy: told, at: .uptimeNanoseconds(0),
            timestamp: Timestamp(millisecondsSince1970: 0))
        #expect(heading?.accuracy == given)
    }
}
