import LocationModel
import NIOCore
import Testing

@testable import ReceiverSettings

/// A receiver that loses its power for a moment while its port stays open, as a HAT with a switched supply does.
struct RestartTests {
    typealias Personality = EmulatedReceiver.Personality

    private static let talking = Personality.allCases.filter { EmulatedReceiver($0).startText != nil }

    /// A port of a receiver whose owner has set half a second, and the profile a fifth.
    private func opened(_ personality: Personality) -> Conversation {
        let port = Conversation(ReceiverProfile(interval: .fixed(milliseconds: 200)), with: personality)
        port.receiver.interval = 500
        port.open()
        #expect(port.receiver.interval == 200)
        return port
    }

    @Test func onlyOneKindDoesNotSayThatItHasStarted() { #expect(Self.talking.count == Personality.allCases.count - 1) }

    @Test(arguments: talking, [1, 7, 100])
    func itIsSetAgainWhenItSaysThatItHasStarted(personality: Personality, pieces: Int) {
        let port = opened(personality)
        port.pass(.seconds(10))
        port.receiver.losePower()
        #expect(port.receiver.interval == 1000)
        let text = port.receiver.startText ?? []
        for start in stride(from: 0, to: text.count, by: pieces) {
            port.receive(Array(text[start..<min(start + pieces, text.count)]))
        }
        port.settle()
        #expect(port.receiver.interval == 200)
        #expect(
            port.outcome(.interval)
                == ReceiverSetting(name: .interval, before: "0.5 s", wanted: "0.2 s", now: "0.2 s", outcome: .applied))
        // Its own value is the first one, not that after the loss.
        port.close()
        #expect(port.receiver.interval == 500)
    }

    @Test(arguments: Personality.allCases)
    func aLossThatItDoesNotSayIsFoundByReadingTheValues(personality: Personality) {
        let port = opened(personality)
        let count = port.written.count
        for number in 1...3 {
            port.pass(.minutes(5))
            #expect(port.written.count == count + number, "a question, and no command")
            #expect(port.outcome(.interval)?.outcome == .applied)
        }
        port.receiver.losePower()
        port.pass(.minutes(5))
        port.settle()
        #expect(port.receiver.interval == 200 && port.outcome(.interval)?.outcome == .applied)
        port.close()
        #expect(port.receiver.interval == 500)
    }

    @Test func aCheckWithoutAnAnswerSaysNothing() {
        let port = opened(.m10)
        port.receiver.isSilent = true
        port.pass(.minutes(5))
        port.settle()
        #expect(port.outcome(.interval)?.outcome == .applied && port.machine.identity != nil)
        port.receiver.isSilent = false
        port.close()
        #expect(port.receiver.interval == 500)
    }

    @Test func aReceiverThatDoesNotAnswerAfterItsStartIsAskedAtTheNextCheck() {
        let port = opened(.m8)
        port.pass(.seconds(10))
        port.receiver.losePower()
        port.receiver.isSilent = true
        port.receive(port.receiver.startText ?? [])
        port.settle()
        #expect(port.outcome(.identity)?.outcome == .unanswered && port.receiver.interval == 1000)
        port.receiver.isSilent = false
        port.pass(.minutes(5))
        port.settle()
        #expect(port.outcome(.identity) == nil && port.receiver.interval == 200)
    }

    @Test(arguments: [Personality.mt3333, .ag3335, .m8, .m10])
    func sentencesThatWereLeftOutAreLeftOutAgainAndComeBack(personality: Personality) {
        let port = Conversation(ReceiverProfile(interval: .demand), with: personality)
        let (keys, rates, numbers) = (port.receiver.keys, port.receiver.rates, port.receiver.numbers)
        func isShort() -> Bool {
            port.receiver.keys != keys || port.receiver.rates[0xF003] == 0 || port.receiver.numbers != numbers
        }
        port.open(baudRate: 38_400)
        port.follow(ReceiverDemand(interval: 0.2), bytesPerSecond: 900)
        let (shortKeys, shortRates, shortNumbers) = (port.receiver.keys, port.receiver.rates, port.receiver.numbers)
        port.pass(.seconds(10))
        port.receiver.losePower()
        #expect(!isShort())
        port.receive(port.receiver.startText ?? [])
        port.settle()
        #expect(port.receiver.interval == 200 && isShort())
        #expect(port.receiver.keys == shortKeys && port.receiver.rates == shortRates)
        #expect(port.receiver.numbers == shortNumbers)
        port.follow(ReceiverDemand())
        #expect(port.receiver.keys == keys && port.receiver.numbers == numbers && port.receiver.rates == rates)
        port.close()
        #expect(port.receiver.keys == keys && port.receiver.numbers == numbers && port.receiver.rates == rates)
    }

    @Test func itIsHelpedAgain() {
        let port = Conversation(ReceiverProfile(.airoha, assistance: [.position]), with: .ag3335)
        port.help = FirstFixHelp(position: .init(latitude: 47.51, longitude: 8.74, altitude: 512, age: 600))
        port.open()
        port.receive(ReceiverMessage.sentence(["GNRMC", "120000.00", "A", "4730.0", "N"]).frame)
        port.pass(.seconds(10))
        port.receive(port.receiver.startText ?? [])
        port.settle()
        let places = port.receiver.received.filter {
            if case .sentence(let fields) = $0 { fields[0] == "PAIR600" } else { false }
        }
        #expect(places.count == 2)
    }

    @Test func aRestartWhileAValueIsWrittenLosesNothing() {
        let port = Conversation(
            ReceiverProfile(.ublox, interval: .fixed(milliseconds: 200), model: .fixed(.sea)), with: .m10)
        port.open()
        port.pass(.seconds(10))
        port.receiver.losePower()
        port.receive(port.receiver.startText ?? [])
        port.settle()
        #expect(port.receiver.interval == 200 && port.receiver.keys[0x2011_0021] == 5)
        // The port is closed while it is asked who it is.
        port.pass(.seconds(10))
        port.receiver.isSilent = true
        port.receive(port.receiver.startText ?? [])
        port.receiver.isSilent = false
        port.close()
        #expect(port.receiver.interval == 1000 && port.receiver.keys[0x2011_0021] == 0)
    }

    // MARK: Attacks

    @Test("Attack: a device says again and again that it has started, to keep the port busy.", arguments: talking)
    func endlessStarts(personality: Personality) {
        let port = opened(personality)
        let count = port.written.count
        for _ in 0..<1000 {
            port.receive(port.receiver.startText ?? [])
            port.pass(.seconds(1))
        }
        // Five times a question about it and one about its interval, and then three checks.
        #expect(port.written.count <= count + 5 * 2 + 3)
        #expect(port.receiver.interval == 200)
    }

    @Test("Attack: a device drops its values again and again.", arguments: Personality.allCases)
    func endlessLosses(personality: Personality) {
        let port = opened(personality)
        for _ in 0..<20 {
            port.receiver.losePower()
            port.pass(.minutes(5))
            port.settle()
        }
        #expect(port.outcome(.interval)?.outcome == .ignored && port.outcome(.interval)?.now == "1 s")
        let count = port.written.count
        port.pass(.minutes(5))
        #expect(port.written.count == count)
    }

    @Test func withoutAProfilesSettingsThereAreNoChecks() {
        let port = Conversation(ReceiverProfile(.ublox), with: .m10)
        port.open()
        #expect(port.machine.deadline == nil && port.written.count == 1)
    }
}
