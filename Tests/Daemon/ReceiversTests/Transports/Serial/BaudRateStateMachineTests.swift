import Devices
import Foundation
import NIOCore
import Testing

@testable import Receivers

struct BaudRateStateMachineTests {
    /// The moments of opening the port, relative to the bursts.
    private static let phases = [0.02, 0.25, 0.5, 0.75, 0.999]

    private func line(_ settings: SerialSettings, phase: Double) -> SignalModel {
        var line = SignalModel(settings)
        line.phase = phase
        return line
    }

    private func worst(
        _ settings: SerialSettings, known: SerialSettings? = nil, latency: Double = 0, isNoisy: Bool = false
    ) -> Double {
        var line = SignalModel(settings)
        return zip(Self.phases, UInt64(1)...).map { phase, seed in
            line.phase = phase
            let noise = isNoisy ? SeededRandom(seed: seed) : nil
            var search = DetectionTrial(line, known: known, latency: latency, noise: noise)
            let found = search.run()
            #expect(search.detector.settings == settings, "from \(phase) s: \(search.trials)")
            #expect(!search.detector.isLooking)
            #expect(found == nil || search.sentences >= (known == settings ? 1 : 2))
            return found ?? .infinity
        }.max()!
    }

    /// Prints the time that detection takes, in seconds.
    @Test func everyLineIsFoundInLessThanTenSecondsAndOneThatIsKnownInLessThanOneAndAHalf() async {
        var table = "line        unknown  known  other known  in pieces of 16 ms\n"
        for settings in SerialSettings.all {
            await Task.yield()
            let other = SerialSettings(settings.bitsPerSecond == 19_200 ? 57_600 : 19_200)
            let times = [
                worst(settings), worst(settings, known: settings), worst(settings, known: other),
                worst(settings, latency: 0.016),
            ]
            #expect(times.max()! < 10, "\(settings)")
            #expect(times[1] < 1.5, "\(settings)")
            let cells = times.map { String(format: "%7.2f", $0) }.joined(separator: "  ")
            table += settings.description.padding(toLength: 10, withPad: " ", startingAt: 0) + cells + "\n"
        }
        print(table)
    }

    @Test func whatComesWithWrongSettingsNeedNotLookLikeAnything() async {
        for settings in SerialSettings.all {
            await Task.yield()
            let worst = worst(settings, isNoisy: true)
            #expect(worst < (settings.framing == .eightN1 ? 10 : 30), "\(settings)")
        }
    }

    /// Fast receivers behind an adapter that holds whole sentences, with bursts that begin around the end of a trial.
    @Test(arguments: [0.016, 0.035])
    func whatTheAdapterHeldAtAChangeSettlesNothing(holdingTime: Double) async {
        for settings in [SerialSettings(9600), SerialSettings(115_200), SerialSettings(460_800, .sevenN2)] {
            await Task.yield()
            var line = SignalModel(settings)
            line.period = 1.7
            for phase in stride(from: 1.45, to: 1.6, by: 0.006) {
                line.phase = phase
                for known in [nil, settings] {
                    var search = DetectionTrial(line, known: known, holdingTime: holdingTime)
                    let time = search.run()
                    #expect(time != nil && search.detector.settings == settings, "from \(phase) s: \(search.trials)")
                }
            }
        }
    }

    @Test func aLineThatIsUnderstoodWithAnySettingsIsSettledAtOnce() async throws {
        for settings in [nil, SerialSettings(115_200, .sevenN2)] {
            await Task.yield()
            var search = DetectionTrial(line(SerialSettings(921_600), phase: 0.3), known: settings, isAgnostic: true)
            let time = search.run()
            let found = try #require(time)
            #expect(found < 0.31)
            #expect(search.trials == [settings ?? SerialSettings(9600)])
            #expect(search.sentences == (settings == nil ? 2 : 1))
        }
    }

    @Test func aSilentLineIsNoEvidenceEverySpeedGetsItsTurnAgainAndAgain() async {
        var search = DetectionTrial(SignalModel(SerialSettings(57_600), bursts: [[]]))
        #expect(search.run(until: 60) == nil)
        #expect(search.trials.prefix(9).map(\.bitsPerSecond) == SerialSettings.likelyBaudRates)
        #expect(Set(search.trials.map(\.framing)) == [.eightN1])
        #expect(search.trials.count == 39)
        #expect(search.detector.triedSpeeds == ReceiverSpecification.baudRates)
    }

    @Test(arguments: [12.0, 60])
    func aReceiverThatSendsAtLongIntervalsIsFound(period: Double) async throws {
        for settings in SerialSettings.all {
            await Task.yield()
            var line = line(settings, phase: 7)
            line.period = period
            var search = DetectionTrial(line)
            let time = search.run(until: 20 * period)
            let found = try #require(time, "\(settings): \(search.trials)")
            // Other framings are tried after the usual one.
            let periods = settings.framing == .eightN1 ? 9.0 : 13
            #expect(found < 7 + periods * period, "\(settings)")
        }
    }

    @Test func aReceiverThatSendsOneSentenceASecondIsFound() async throws {
        for settings in SerialSettings.all {
            await Task.yield()
            let sentences = SignalModel.epochs.map { epoch in
                Array(epoch.prefix { $0 != UInt8(ascii: "\n") }) + [UInt8(ascii: "\n")]
            }
            var line = SignalModel(settings, bursts: sentences)
            line.phase = 0.4
            var search = DetectionTrial(line)
            let time = search.run()
            let found = try #require(time, "\(settings): \(search.trials)")
            #expect(found < 15, "\(settings)")
        }
    }

    @Test(arguments: [[0xB5, 0x62], [0xA0, 0xA2], [0xD3, 0x01]] as [[UInt8]], [300, 1800])
    func binaryMessagesBesideTheSentencesDoNotMakeTheRightSpeedFail(start: [UInt8], size: Int) async throws {
        for speed in [9600, 38_400, 115_200, 460_800] {
            await Task.yield()
            var random = SeededRandom(seed: UInt64(speed))
            let bursts = SignalModel.epochs.map { epoch in
                start + (0..<min(size, speed / 16)).map { _ in UInt8.random(in: 0...255, using: &random) }
                    + epoch.prefix(300)
            }
            var line = SignalModel(SerialSettings(speed), bursts: bursts)
            line.period = 1.2
            for phase in Self.phases {
                line.phase = phase
                for known in [nil, SerialSettings(speed)] {
                    var search = DetectionTrial(line, known: known)
                    let time = search.run()
                    let found = try #require(time, "\(speed) from \(phase) s: \(search.trials)")
                    #expect(
                        found < (known != nil ? 2.5 : size < 1000 ? 15 : 40),
                        "\(speed) from \(phase) s: \(search.trials)")
                    #expect(search.detector.settings == SerialSettings(speed))
                }
            }
        }
    }

    @Test func whatNeverIsASentenceSettlesNothingAndIsTriedWithEverything() async {
        var random = SeededRandom(seed: 5)
        let binary = (0..<3).map { _ in (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) } }
        let text = [Array("$GPGGA,092653,4730.0,N,00845.0,E,1,08,1.0,400,M,48,M,,\r\n".utf8)]
        for bursts in [binary, text] {
            var search = DetectionTrial(SignalModel(SerialSettings(9600), bursts: bursts))
            #expect(search.run() == nil)
            #expect(search.detector.isLooking)
            #expect(Set(search.trials) == Set(SerialSettings.all))
        }
    }
}
