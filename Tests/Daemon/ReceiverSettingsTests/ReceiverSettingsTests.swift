import Glibc
import LocationModel
import NIOCore
import Testing

@testable import ReceiverSettings

/// The way of a receiver with a profile: asked, set, read back and put back.
struct ReceiverSettingsTests {
    typealias Personality = EmulatedReceiver.Personality

    @Test(arguments: Personality.allCases, [false, true])
    func anIntervalIsSetReadBackAndPutBack(personality: Personality, finds: Bool) {
        let profile = ReceiverProfile(finds ? .auto : personality.dialect, interval: .fixed(milliseconds: 200))
        let port = Conversation(profile, with: personality)
        port.open()
        #expect(port.machine.identity?.dialect == personality.dialect)
        #expect(port.receiver.interval == 200)
        #expect(
            port.outcome(.interval)
                == ReceiverSetting(name: .interval, before: "1 s", wanted: "0.2 s", now: "0.2 s", outcome: .applied))
        port.close()
        #expect(port.receiver.interval == 1000)
    }

    @Test(arguments: Personality.allCases)
    func aProfileWithoutSettingsAsksForTheIdentityOnly(personality: Personality) {
        let port = Conversation(ReceiverProfile(personality.dialect), with: personality)
        port.open()
        #expect(port.written.count == 1 && port.machine.identity != nil && port.machine.settings.isEmpty)
        port.close()
        #expect(port.written.count == 1)
    }

    @Test(arguments: Personality.allCases)
    func aRefusalIsNamedAndNotRepeated(personality: Personality) {
        let port = Conversation(
            ReceiverProfile(personality.dialect, interval: .fixed(milliseconds: 500)), with: personality)
        port.receiver.refused = [port.receiver.intervalCommand]
        port.open()
        #expect(port.outcome(.interval)?.outcome == .refused)
        let count = port.written.count
        port.close()
        #expect(port.written.count == count && port.receiver.interval == 1000)
    }

    @Test(arguments: Personality.allCases)
    func aReceiverThatAcknowledgesAndChangesNothingIsNamed(personality: Personality) {
        let port = Conversation(
            ReceiverProfile(personality.dialect, interval: .fixed(milliseconds: 500)), with: personality)
        port.receiver.lies = true
        port.open()
        #expect(port.outcome(.interval)?.outcome == .ignored)
        #expect(port.outcome(.interval)?.now == "1 s")
    }

    @Test(arguments: Personality.allCases, 2...4)
    func lostAnswersAreAskedForAgain(personality: Personality, each: Int) {
        let port = Conversation(
            ReceiverProfile(personality.dialect, interval: .fixed(milliseconds: 500)), with: personality)
        port.receiver.losesEach = each
        port.open()
        // An answer of two messages, of which the same one is always lost, is none.
        #expect(port.machine.settings.allSatisfy { [.applied, .unanswered].contains($0.outcome) })
        port.receiver.losesEach = 0
        port.close()
        #expect(port.receiver.interval == 1000)
    }

    @Test func aReceiverThatDoesNotAnswerIsAskedTwiceInEachDialectAndNotSet() {
        let port = Conversation(ReceiverProfile(interval: .fixed(milliseconds: 200), standsBy: true), with: .m8)
        port.receiver.isSilent = true
        port.open()
        let questions = IdentityQuestion.allCases.map { $0.bytes(in: .auto) }
        #expect(port.written == [[UInt8](repeating: 0xFF, count: 8)] + questions.flatMap { [$0, $0] })
        #expect(port.machine.settings == [ReceiverSetting(name: .identity, outcome: .unanswered)])
        port.close()
        #expect(port.written.count == 7 && !port.machine.keepsPortOpen)
    }

    @Test func aReceiverOfAnotherDialectIsNotSet() {
        let port = Conversation(ReceiverProfile(.mtk, interval: .fixed(milliseconds: 200)), with: .ag3335)
        port.open()
        #expect(port.machine.identity == nil && port.receiver.interval == 1000)
    }

    @Test func anUndoThatWasLostIsMadeUpForLater() {
        let port = Conversation(ReceiverProfile(.ublox, interval: .fixed(milliseconds: 200)), with: .m10)
        port.open()
        _ = port.machine.closed(at: port.now)  // unplugged: nothing could be written
        #expect(port.receiver.interval == 200)
        port.open()
        #expect(port.outcome(.interval)?.before == "1 s")
        port.close()
        #expect(port.receiver.interval == 1000)
    }

    @Test(arguments: [Personality.m8, .m10])
    func allSettingsOfUBlox(personality: Personality) {
        let port = Conversation(
            ReceiverProfile(
                interval: .fixed(milliseconds: 500), model: .fixed(.automotive), constellations: [.gps, .glonass],
                sendsUBX: true, assistance: [.predictions]), with: personality)
        let (keys, payloads, rates) = (port.receiver.keys, port.receiver.payloads, port.receiver.rates)
        port.open()
        for setting in port.machine.settings { #expect(setting.outcome == .applied, "\(setting)") }
        let constellations = personality == .m8 ? "glonass gps" : "glonass gps qzss"
        #expect(port.outcome(.model)?.now == "automotive" && port.outcome(.constellations)?.now == constellations)
        #expect(port.outcome(.predictions)?.now == "on")
        if personality == .m10 {
            #expect(port.receiver.keys[0x1074_0002] == 0 && port.receiver.keys[0x2091_0007] == 1)
        } else {
            #expect(port.receiver.rates[0x0107] == 1 && port.receiver.rates[0xF000] == 0)
        }
        port.close()
        // A receiver whose engine restarts does not hear what comes next, so that is put back last.
        let last = port.written.last?.dropFirst(10)
        #expect(personality == .m8 || last?.starts(with: UInt32(0x1031_001F).littleEndianBytes) == true)
        #expect(port.receiver.keys == keys && port.receiver.payloads == payloads)
        #expect(rates.allSatisfy { port.receiver.rates[$0.key] == $0.value })
    }

    /// A u-blox uses both GPS and QZSS, or neither.
    @Test(arguments: [Personality.m8, .m10]) func qzssFollowsGPS(personality: Personality) {
        typealias Opened = (gps: Int, qzss: Int, outcome: ReceiverSetting?)
        func opened(_ constellations: Set<Satellite.Constellation>) -> Opened {
            let port = Conversation(ReceiverProfile(.ublox, constellations: constellations), with: personality)
            port.receiver.payloads[0x06_3E]![3] = 4
            port.receiver.payloads[0x06_3E]! += [5, 0, 3, 0, 1, 0, 1, 1]
            port.open()
            let systems = port.receiver.payloads[0x06_3E]!
            return personality == .m8
                ? (Int(systems[8]), Int(systems[32]), port.outcome(.constellations))
                : (port.receiver.keys[0x1031_001F]!, port.receiver.keys[0x1031_0024]!, port.outcome(.constellations))
        }
        let with = opened([.gps, .galileo])
        #expect(with.gps == 1 && with.qzss == 1 && with.outcome?.now == "galileo gps qzss")
        let without = opened([.galileo])
        #expect(without.gps == 0 && without.qzss == 0 && without.outcome?.outcome == .applied)
        let alone = opened([.galileo, .qzss])
        #expect(alone.gps == 1 && alone.qzss == 1 && alone.outcome?.outcome == .unsupported)
    }

    @Test func aReceiverThatDoesNotSendUBXKeepsItsSentences() {
        let port = Conversation(ReceiverProfile(.ublox, sendsUBX: true), with: .m10)
        port.receiver.keys[0x2091_0007] = nil
        port.open()
        #expect(port.outcome(.messages)?.outcome == .refused && port.receiver.keys[0x1074_0002] == 1)
    }

    @Test func settingsThatADialectCannotReadAreNotSent() {
        let port = Conversation(
            ReceiverProfile(.casic, model: .fixed(.sea), constellations: [.gps], sendsUBX: true), with: .at6558)
        port.open()
        #expect(port.machine.settings.map(\.outcome) == [.unsupported, .unsupported, .unsupported])
        #expect(port.written.count == 1)
    }

    @Test func timeAndPlaceAreToldOnceTheReceiverIsKnown() {
        let port = Conversation(ReceiverProfile(.airoha, assistance: [.time, .position]), with: .ag3335)
        port.help = FirstFixHelp(
            time: .init(Timestamp(millisecondsSince1970: 1_795_782_896_000), accuracy: 2),
            position: .init(latitude: 47.51, longitude: 8.74, altitude: 512, age: 600))
        port.open()
        #expect(
            port.receiver.received.suffix(2) == [
                .sentence(["PAIR590", "2026", "11", "27", "12", "34", "56"]),
                .sentence(["PAIR600", "47.497500", "8.760178", "500", "23000", "23000", "0", "1000"]),
            ])
        #expect(port.outcome(.time)?.outcome == .sent && port.outcome(.position)?.outcome == .sent)
        port.help = FirstFixHelp()
        port.close()
        port.open()
        #expect(port.outcome(.time) == nil && port.outcome(.position) == nil)
    }

    @Test(arguments: [false, true])
    func aReceiverWithAFixNeedsNoHelp(standsBy: Bool) {
        let port = Conversation(
            ReceiverProfile(.ublox, standsBy: standsBy, assistance: [.position]), with: .m10)
        port.help = FirstFixHelp(position: .init(latitude: 47.51, longitude: 8.74, altitude: 512, age: 600))
        port.receiver.isSilent = true
        port.begin()
        port.receive(fix)
        port.receiver.isSilent = false
        port.settle()
        #expect(port.machine.identity != nil && port.outcome(.position) == nil)
    }

    @Test func aPlaceSaysNoMoreThanItsCell() throws {
        func position(_ latitude: Double, _ longitude: Double, age: Double = 0) -> FirstFixHelp.Position? {
            .init(latitude: latitude, longitude: longitude, altitude: nil, age: age)
        }
        for latitude in [-80.0, -47.51, 0, 12.3, 60, 85] {
            let place = try #require(position(latitude, 8.74))
            #expect(abs(place.latitude - latitude) <= 0.0225 && abs(place.longitude - 8.74) * cosine(latitude) <= 0.024)
            // All places of the cell are the same one.
            #expect(position(place.latitude + 0.02, place.longitude) == place)
            #expect(place.accuracy == 5000)
        }
        #expect(position(47.5, 8.75, age: 3600)?.accuracy == 113_000)
        #expect(position(47.5, 8.75, age: 9834) == nil && position(89.5, 0) == nil)
    }

    /// The accuracy of a location from before a restart is the sum of the cell, the location's own and the way since.
    @Test func theLastReducedLocationHelpsAfterARestart() {
        func accuracy(secondsLater: Double) -> Int? {
            let then = Timestamp(millisecondsSince1970: 1_795_782_896_000)
            var location = Location(timestamp: then, latitude: 47.51, longitude: 8.74, simulated: false)
            location.horizontalAccuracy = 8500
            let now = Timestamp(millisecondsSince1970: 1_795_782_896_000 + Int64(secondsLater * 1000))
            return FirstFixHelp.Position(reduced: location, at: now)?.accuracy
        }
        #expect(accuracy(secondsLater: 0) == 13_500 && accuracy(secondsLater: 900) == 40_500)
        #expect(accuracy(secondsLater: 9551) == nil, "300 km away")
        #expect(accuracy(secondsLater: -1) == nil, "by a clock that is behind")
    }

    private func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }

    // MARK: Demand

    @Test func theRateFollowsTheDemandAsFarAsTheLineCarriesIt() {
        let port = Conversation(ReceiverProfile(interval: .demand), with: .mt3333)
        port.open(baudRate: 38_400)
        #expect(port.receiver.interval == 1000)
        // 10 fixes of 400 bytes are more than 38,400 baud carry, 5 are not.
        port.follow(ReceiverDemand(interval: 0.1), bytesPerSecond: 400)
        #expect(port.receiver.interval == 200)
        port.follow(ReceiverDemand(interval: 8))
        #expect(port.receiver.interval == 8000 && port.machine.longestInterval == 8000)
        port.follow(ReceiverDemand())
        #expect(port.receiver.interval == 1000)
        port.close()
        #expect(port.receiver.interval == 1000)
    }

    /// Baud rates, and the interval that they carry with fixes of 700 bytes, or of 450 without GSV, GLL and VTG.
    private static let lines: [(baudRate: Double, interval: Int, isShort: Bool)] = [
        (9600, 1000, false), (19_200, 500, false), (38_400, 200, true), (115_200, 100, false), (230_400, 100, false),
    ]

    @Test(arguments: [Personality.mt3333, .ag3335, .m8, .m10])
    func aFastLineCarriesTenFixesASecond(personality: Personality) {
        for line in Self.lines {
            let port = Conversation(ReceiverProfile(interval: .demand), with: personality)
            port.open(baudRate: line.baudRate)
            port.follow(ReceiverDemand(interval: 0.1), bytesPerSecond: 700)
            #expect(port.receiver.interval == line.interval, "\(line)")
            #expect((port.outcome(.messages) != nil) == line.isShort, "\(line)")
            // Two are demanded, and there are not more.
            port.follow(ReceiverDemand(interval: 0.5))
            #expect(port.receiver.interval == max(500, line.interval), "\(line)")
            port.close()
            #expect(port.receiver.interval == 1000)
        }
    }

    @Test(arguments: [Personality.m8, .m10]) func aReceiversOwnUSBHasNoLimit(personality: Personality) {
        let port = Conversation(ReceiverProfile(.ublox, interval: .demand), with: personality)
        port.open(baudRate: 9600, isUSB: true)
        port.follow(ReceiverDemand(interval: 0.1), bytesPerSecond: 2000)
        #expect(port.receiver.interval == 100 && port.outcome(.messages) == nil)
    }

    @Test func framesAreShorterThanSentences() {
        let port = Conversation(ReceiverProfile(.ublox, interval: .demand, sendsUBX: true), with: .m10)
        port.open(baudRate: 38_400)
        port.follow(ReceiverDemand(interval: 0.1))
        #expect(port.receiver.interval == 100)
    }

    @Test(arguments: [Personality.mt3333, .ag3335, .m8, .m10])
    func sentencesThatNobodyNeedsAreLeftOutFirstAndComeBack(personality: Personality) {
        let port = Conversation(ReceiverProfile(interval: .demand), with: personality)
        let (keys, rates, numbers) = (port.receiver.keys, port.receiver.rates, port.receiver.numbers)
        port.open(baudRate: 38_400)
        port.follow(ReceiverDemand(interval: 0.2), bytesPerSecond: 900)
        #expect(port.receiver.interval == 200)
        #expect(port.receiver.keys[0x2091_00C5] == 0 || personality != .m10)
        #expect(port.receiver.rates[0xF003] == 0 || personality != .m8)
        #expect(port.receiver.numbers["PAIR062,3"] == [0] || personality != .ag3335)
        #expect(port.receiver.numbers["PMTK314"] == [0, 1, 0, 1, 1, 0, 0, 0] || personality != .mt3333)
        port.follow(ReceiverDemand())
        #expect(port.receiver.interval == 1000)
        #expect(port.receiver.keys == keys && port.receiver.numbers == numbers && port.receiver.rates == rates)
        #expect(port.outcome(.messages) == nil)
        port.close()
        #expect(port.receiver.keys == keys && port.receiver.numbers == numbers && port.receiver.rates == rates)
    }

    @Test func neededSentencesStay() {
        let port = Conversation(ReceiverProfile(interval: .demand), with: .ag3335)
        port.open(baudRate: 38_400)
        var demand = ReceiverDemand(interval: 0.2)
        demand.needsAllSentences = true
        port.follow(demand, bytesPerSecond: 900)
        #expect(port.receiver.interval == 500 && port.receiver.numbers["PAIR062,3"] == [1])
    }

    @Test func theModelFollowsTheActivity() {
        let port = Conversation(ReceiverProfile(model: .activity), with: .m10)
        port.open()
        #expect(port.receiver.keys[0x2011_0021] == 0)
        port.follow(ReceiverDemand(activity: .automotiveNavigation))
        #expect(port.receiver.keys[0x2011_0021] == 4)
        port.follow(ReceiverDemand(activity: .airborne))
        #expect(port.receiver.keys[0x2011_0021] == 7)
        port.close()
        #expect(port.receiver.keys[0x2011_0021] == 0)
    }

    @Test func aRefusedSecondChangeLeavesTheOwnValueToPutBack() {
        let port = Conversation(ReceiverProfile(interval: .demand), with: .m10)
        port.open()
        port.follow(ReceiverDemand(interval: 0.2), bytesPerSecond: 400)
        #expect(port.receiver.interval == 200)
        port.receiver.refused = [port.receiver.intervalCommand]
        port.follow(ReceiverDemand(interval: 0.1))
        #expect(port.outcome(.interval)?.outcome == .refused && port.receiver.interval == 200)
        port.receiver.refused = []
        port.close()
        #expect(port.receiver.interval == 1000)
    }

    @Test(arguments: [Personality.mt3333, .ag3335, .m8, .m10])
    func sentencesComeBackEvenIfTheAnswersDidNot(personality: Personality) {
        let port = Conversation(ReceiverProfile(interval: .demand), with: personality)
        let (keys, rates, numbers) = (port.receiver.keys, port.receiver.rates, port.receiver.numbers)
        port.open(baudRate: 38_400)
        port.follow(ReceiverDemand(interval: 0.2), bytesPerSecond: 900)
        port.receiver.isSilent = true
        port.follow(ReceiverDemand())
        port.receiver.isSilent = false
        port.close()
        #expect(port.receiver.keys == keys && port.receiver.numbers == numbers && port.receiver.rates == rates)
        // Unplugged while sentences are left out: the next opening brings them back.
        port.open(baudRate: 38_400)
        port.follow(ReceiverDemand(interval: 0.2), bytesPerSecond: 900)
        _ = port.machine.closed(at: port.now)
        port.follow(ReceiverDemand())
        port.open(baudRate: 38_400)
        #expect(port.receiver.keys == keys && port.receiver.numbers == numbers && port.receiver.rates == rates)
    }

    @Test func aDemandThatEndsWhileSentencesAreLeftOutBringsThemBack() {
        let port = Conversation(ReceiverProfile(interval: .demand), with: .ag3335)
        let numbers = port.receiver.numbers
        port.open(baudRate: 38_400)
        port.receiver.isSilent = true
        port.followWithoutWaiting(ReceiverDemand(interval: 0.2))
        port.receiver.isSilent = false
        port.follow(ReceiverDemand())
        #expect(port.receiver.numbers == numbers)
    }

    // MARK: Standby

    private let fix = ReceiverMessage.sentence(["GNRMC", "120000.00", "A", "4730.0", "N"]).frame

    @Test func aReceiverThatSleepsIsSentToSleepWithoutWaitingTheNextTime() {
        let port = Conversation(ReceiverProfile(.ublox, standsBy: true), with: .m10)
        port.open()
        port.close()
        #expect(
            port.machine.keepsPortOpen
                && port.written.last == UBloxDialect(version: 34.1, isUSB: false).standby[0].command)
        port.pass(.seconds(4))
        port.receive(fix)  // on its way to sleep
        port.settle()
        #expect(port.isPortClosed && port.outcome(.standby)?.outcome == .applied)
        port.open()
        port.close()
        #expect(!port.machine.keepsPortOpen)
        #expect(port.written.last == UBloxDialect(version: 34.1, isUSB: false).standby[0].command)
    }

    @Test func theSecondFormIsTriedAndThenItIsSaidThatItDoesNotSleep() {
        let port = Conversation(ReceiverProfile(.ublox, standsBy: true), with: .m10)
        port.open()
        port.close()
        port.pass(.seconds(5))
        port.receive(fix)
        #expect(port.written.last == UBloxDialect(version: 34.1, isUSB: false).standby[1].command)
        port.pass(.seconds(5))
        port.receive(fix)
        #expect(port.isPortClosed && port.outcome(.standby)?.outcome == .ignored)
        let count = port.written.count
        port.open()
        port.close()
        #expect(!port.machine.keepsPortOpen)
        #expect(port.written.count == count + 2)  // bytes that wake, and the question
    }

    @Test func onUSBTheEngineIsStoppedAndStarted() {
        let port = Conversation(ReceiverProfile(.ublox, standsBy: true), with: .m10)
        port.open(isUSB: true)
        port.close(hasFix: true)
        #expect(port.receiver.received.last == .ubx(0x06_04, [0, 0, 8, 0]))
        // Its sentences without a fix go on: it has stopped nevertheless.
        port.pass(.seconds(5))
        port.receive(ReceiverMessage.sentence(["GNRMC", "120000.00", "V", "", ""]).frame)
        port.settle()
        #expect(port.outcome(.standby)?.outcome == .applied)
        port.open(isUSB: true)
        #expect(port.receiver.received.last == .ubx(0x06_04, [0, 0, 9, 0]))
    }

    @Test func withoutAFixBeforeStandbyIsNotProven() {
        let port = Conversation(ReceiverProfile(.airoha, standsBy: true), with: .ag3335)
        port.open()
        port.close()
        port.settle()
        #expect(port.isPortClosed && port.outcome(.standby)?.outcome == .sent)
        #expect(port.machine.isAsleep)
        // Its engine is started even if it does not say who it is.
        port.receiver.isSilent = true
        let count = port.written.count
        port.open()
        #expect(port.written[count + 1] == AirohaDialect().start)
    }

    @Test(arguments: [Personality.m10, .ag3335])
    func standbyWaitsForAReceiverThatRestarts(personality: Personality) {
        let port = Conversation(
            ReceiverProfile(personality.dialect, constellations: [.gps], standsBy: true), with: personality)
        for isProven in [false, true] {
            port.open()
            let standby =
                personality == .m10 ? UBloxDialect(version: 34.1, isUSB: false).standby : AirohaDialect().standby
            port.close(hasFix: true)
            #expect(port.machine.keepsPortOpen && port.written.last != standby[0].command)
            port.pass(.seconds(1))
            #expect(port.written.last == standby[0].command && port.machine.isAsleep)
            #expect(port.machine.keepsPortOpen == !isProven)
            port.settle()
            #expect(port.isPortClosed && port.outcome(.standby)?.outcome == .applied)
        }
    }

    @Test func aLateAnswerToAnEarlierQuestionIsNotTheVerdict() {
        let port = Conversation(ReceiverProfile(.ublox, interval: .fixed(milliseconds: 500)), with: .m8)
        port.open()
        let old = ReceiverMessage.ubx(0x06_08, [0xE8, 3, 1, 0, 1, 0]).frame
        port.close()
        port.receiver.isSilent = true
        port.begin()
        port.receive(port.receiver.versions.frame)
        port.receive(old)
        port.receive(ReceiverMessage.ubx(0x05_01, [6, 8]).frame)  // of the question
        port.receive(old)  // of the question's repetition
        port.pass(.milliseconds(1500))
        port.receive(ReceiverMessage.ubx(0x06_08, [0xF4, 1, 1, 0, 1, 0]).frame)
        #expect(port.outcome(.interval)?.outcome == .applied)
    }

    @Test func aReceiverThatRefusesToSleepIsLeftAwake() {
        let port = Conversation(ReceiverProfile(.airoha, standsBy: true), with: .ag3335)
        port.open()
        port.receiver.refused = [3]
        port.close()
        #expect(port.isPortClosed && port.outcome(.standby)?.outcome == .ignored)
    }

    @Test func settingsArePutBackBeforeTheStandby() {
        let port = Conversation(
            ReceiverProfile(.airoha, interval: .fixed(milliseconds: 200), standsBy: true), with: .ag3335)
        port.open()
        port.close()
        #expect(
            port.receiver.received.suffix(2) == [.sentence(["PAIR050", "1000"]), .sentence(["PAIR003"])])
    }

    // MARK: Attacks

    @Test("Attack: a device answers with 64 kB of UBX-MON-VER, or with frames that never end.")
    func endlessAnswers() {
        let port = Conversation(ReceiverProfile(interval: .fixed(milliseconds: 200)), with: .m10)
        port.receiver.isSilent = true
        port.open()
        let frame = ReceiverMessage.ubx(0x0A_04, [UInt8](repeating: 0x41, count: 65_535)).frame
        for piece in 0..<64 { port.receive(Array(frame[piece * 1024..<(piece + 1) * 1024])) }
        for _ in 0..<100 { port.receive([0xB5, 0x62, 0x0A, 0x04, 0xFF, 0x01] + [UInt8](repeating: 0xB5, count: 500)) }
        #expect(port.machine.identity == nil)
    }

    @Test("Attack: a device sends a thousand acknowledgements of every command, and answers in all dialects.")
    func floodOfAnswers() {
        let port = Conversation(ReceiverProfile(.ublox, interval: .fixed(milliseconds: 200)), with: .m10)
        port.receiver.isSilent = true
        let others = [
            ReceiverMessage.sentence(["PMTK705", "A", "B", "C"]), .sentence("PAIR001", [50, 0]),
            .sentence("PMTK001", [220, 3]), .skytraq([0x83, 0x0E]), .casic(0x05_01, [6, 4]), .ubx(0x05_01, [6, 0x8A]),
        ]
        port.open()
        for _ in 0..<1000 { for message in others { port.receive(message.frame) } }
        #expect(port.machine.identity == nil)
        #expect(port.written.allSatisfy { $0 == IdentityQuestion.ublox.bytes(in: .ublox) })
    }

    @Test("Attack: a device's name has escape sequences for the terminal of an administrator.")
    func escapeSequences() {
        let identity = ReceiverIdentity(.ublox, maker: "u-blox", model: "\u{1B}[2J\u{202E}M10", firmware: "\u{7}")
        #expect(identity.model == "[2JM10" && identity.firmware == nil)
    }

    @Test func bytesInAnyPiecesGiveTheSameMessages() {
        let messages = [
            ReceiverMessage.ubx(0x05_01, [6, 0x8A]), .sentence("PMTK001", [220, 3]), .casic(0x05_01, [6, 4, 0, 0]),
            .skytraq([0x83, 0x0E]), .ubx(0x0A_04, [UInt8](repeating: 0x42, count: 70)),
        ]
        let bytes: [UInt8] = messages.flatMap { [0xFF, 0xB5] + $0.frame }
        for size in 1...bytes.count {
            var (scanner, found): (MessageScanner, [ReceiverMessage]) = (MessageScanner(), [])
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += scanner.messages(in: Array(bytes[start..<min(start + size, bytes.count)]).span.bytes)
            }
            #expect(found == messages)
        }
    }
}
