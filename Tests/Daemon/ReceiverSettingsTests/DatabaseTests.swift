import LocationModel
import NIOCore
import Testing

@testable import ReceiverSettings

/// The navigation database of a receiver: asked for, kept, and given back at the next opening.
struct DatabaseTests {
    typealias Personality = EmulatedReceiver.Personality

    private static let withDatabase: [Personality] = [.m8, .m10, .teseo]
    private let fix = ReceiverMessage.sentence(["GNRMC", "120000.00", "A", "4730.0", "N"]).frame
    private let noFix = ReceiverMessage.sentence(["GNRMC", "120000.00", "V", "", ""]).frame

    private static func parts(_ personality: Personality, count: Int = 3) -> [[UInt8]] {
        (0..<count).map { number in
            personality == .teseo
                ? ReceiverMessage.sentence(["PSTMEPHEM", "\(number + 1)", "4", "0f06bc34"]).frame
                : ReceiverMessage.ubx(0x13_80, [UInt8](repeating: UInt8(number + 1), count: 12 + number * 80)).frame
        }
    }

    private func conversation(_ personality: Personality, standsBy: Bool = false) -> Conversation {
        let port = Conversation(
            ReceiverProfile(personality.dialect, standsBy: standsBy, assistance: [.time, .database]), with: personality)
        port.receiver.database = Self.parts(personality)
        return port
    }

    @Test(arguments: withDatabase) func itIsAskedForBeforeThePortIsClosedAndGivenBackAtTheNextOpening(
        personality: Personality
    ) throws {
        let port = conversation(personality)
        port.open()
        #expect(port.receiver.given.isEmpty && port.outcome(.database) == nil)
        port.close(hasFix: true)
        port.settle()
        #expect(port.isPortClosed && !port.machine.keepsPortOpen)
        #expect(port.databases.values.first == Self.parts(personality).flatMap(\.self))

        // The next daemon.
        let next = conversation(personality)
        next.databases = port.databases
        next.help = FirstFixHelp(time: .init(Timestamp(millisecondsSince1970: 1_795_782_896_000), accuracy: 2))
        next.open()
        #expect(next.receiver.given == Self.parts(personality))
        #expect(next.outcome(.database)?.outcome == .sent)
        let dialect: any ReceiverDialect =
            personality == .teseo ? TeseoDialect() : UBloxDialect(version: 18, isUSB: false)
        let time = try #require(next.help.time.flatMap { dialect.help(time: $0) })
        let first = try #require(next.receiver.received.firstIndex(of: time))
        let part = try #require(next.receiver.received.firstIndex { dialect.database?.isPart($0) == true })
        #expect(first < part)
    }

    @Test func anEngineIsStoppedForItAndStartedAgain() throws {
        let port = conversation(.teseo)
        port.databases = ["STMicroelectronics||GNSSLIB_8.4.12.12_ARM|": Self.parts(.teseo).flatMap(\.self)]
        port.open()
        let fields = port.receiver.received.compactMap { if case .sentence(let fields) = $0 { fields[0] } else { nil } }
        #expect(
            fields.suffix(5) == ["PSTMGPSSUSPEND", "PSTMEPHEM", "PSTMEPHEM", "PSTMEPHEM", "PSTMGPSRESTART"])
        // The port is closed in the midst of it.
        let other = conversation(.teseo)
        other.databases = port.databases
        other.begin()
        #expect(other.receiver.given.count == 1)
        other.close(hasFix: false)
        #expect(other.receiver.received.last == .sentence(["PSTMGPSRESTART"]))
    }

    @Test(arguments: withDatabase) func aFixEndsTheGiving(personality: Personality) {
        let port = conversation(personality)
        port.open()
        port.close(hasFix: true)
        port.settle()
        let next = conversation(personality)
        next.databases = port.databases
        // Without acknowledgements, the parts are paced.
        next.receiver.refused = [0x06_23, 0x06_8B]
        next.begin()
        next.receive(fix)
        next.settle()
        #expect(next.receiver.given.count < 3)
    }

    @Test func withoutAcknowledgementsThePartsArePaced() {
        let port = conversation(.m10)
        port.receiver.keys[0x1011_0025] = nil
        port.databases = ["u-blox|[1, 2, 3, 4, 5]": Self.parts(.m10).flatMap(\.self)]
        port.begin(baudRate: 9600)
        #expect(port.receiver.given.count == 1)
        port.pass(.milliseconds(20))
        #expect(port.receiver.given.count == 1, "the line is still sending 20 bytes at 960 a second")
        port.pass(.milliseconds(11))
        #expect(port.receiver.given.count == 2)
        for _ in 0..<3 { port.pass(.milliseconds(200)) }
        #expect(port.receiver.given == Self.parts(.m10))
        #expect(port.outcome(.acknowledgements)?.outcome == .refused)
    }

    @Test func whatAcknowledgesIsPutBack() {
        for personality in [Personality.m8, .m10] {
            let port = conversation(personality)
            let (keys, payloads) = (port.receiver.keys, port.receiver.payloads)
            port.open()
            #expect(port.outcome(.acknowledgements)?.outcome == .applied)
            #expect(port.receiver.keys != keys || port.receiver.payloads != payloads)
            port.close(hasFix: true)
            port.settle()
            #expect(port.receiver.keys == keys && port.receiver.payloads == payloads)
        }
    }

    @Test func itIsAskedForAfterTenMinutesWithAFixAndEachHourThen() {
        let port = conversation(.m10)
        port.begin()
        func checks(_ answer: [UInt8], after time: TimeAmount) -> Int {
            port.databases = [:]
            port.pass(time)
            port.receive(answer)
            return port.databases.count
        }
        #expect(checks(noFix, after: .minutes(5)) == 0)
        #expect(checks(fix, after: .minutes(5)) == 0)
        #expect(checks(noFix, after: .minutes(5)) == 0)
        #expect(checks(fix, after: .minutes(5)) == 0)
        #expect(checks(fix, after: .minutes(5)) == 1)
        #expect(checks(fix, after: .minutes(59)) == 0)
        #expect(checks(fix, after: .minutes(1)) == 1)
        // The database was received a moment ago, so it is not requested again.
        port.close(hasFix: true)
        #expect(!port.machine.keepsPortOpen)
    }

    @Test func aSlowLineIsLeftToTheFixes() {
        let port = conversation(.m10)
        port.begin(baudRate: 9600)
        for _ in 0..<3 {
            port.pass(.minutes(60))
            port.receive(fix)
        }
        #expect(port.databases.isEmpty)
        port.close(hasFix: true)
        #expect(port.databases.count == 1)
    }

    @Test(arguments: withDatabase) func settingsArePutBackAfterItAndBeforeTheStandby(personality: Personality) {
        let port = conversation(personality, standsBy: true)
        port.open()
        port.close(hasFix: true)
        if personality == .teseo { port.pass(.seconds(2)) }
        #expect(port.databases.count == 1 && port.machine.isAsleep)
        port.settle()
        #expect(port.isPortClosed)
    }

    @Test func aPortThatIsNeededMeanwhileGetsItsSettingsBack() {
        let port = Conversation(
            ReceiverProfile(.ublox, interval: .fixed(milliseconds: 200), assistance: [.database]), with: .m10)
        port.open()
        port.receiver.isSilent = true
        port.close(hasFix: true)
        #expect(port.machine.keepsPortOpen && port.receiver.interval == 200)
        port.receiver.isSilent = false
        port.closedForOthers()
        #expect(port.receiver.interval == 1000 && !port.machine.keepsPortOpen)
    }

    @Test func aReceiverThatHasLostItsPowerGetsItBack() {
        let port = conversation(.m10)
        port.open()
        port.close(hasFix: true)
        port.settle()
        let next = conversation(.m10)
        next.databases = port.databases
        next.open()
        next.receive(fix)
        next.pass(.seconds(10))
        next.receiver.losePower()
        next.receive(next.receiver.startText ?? [])
        next.settle()
        #expect(next.receiver.given == Self.parts(.m10) + Self.parts(.m10))
    }

    @Test func atTheEndOfTheServiceThereIsNoTimeForIt() {
        let port = conversation(.m10)
        port.open()
        port.close(toStandby: false, hasFix: true)
        #expect(port.databases.isEmpty && !port.machine.keepsPortOpen)
    }

    @Test func receiversThatKeepTheirsAreNotAsked() {
        #expect(UBloxDialect(version: 27.12, isUSB: false, isForSurveying: true).database == nil)
        #expect(UBloxDialect(version: 14, isUSB: false).database == nil)
        let port = conversation(.mt3333)
        port.open()
        #expect(port.outcome(.database)?.outcome == .unsupported)
    }

    // MARK: Attacks

    @Test(
        "Attack: a false signal gives a receiver false orbits, for this start and the next one.",
        arguments: withDatabase)
    func doubtfulLocations(personality: Personality) {
        let port = conversation(personality)
        port.begin()
        port.machine.isSuspect = true
        for _ in 0..<4 {
            port.pass(.minutes(5))
            port.receive(fix)
        }
        #expect(port.databases.isEmpty)
        port.close(hasFix: true)
        #expect(!port.machine.keepsPortOpen && port.databases.isEmpty)
        // After the doubts, two checks in a row have to find a fix.
        port.begin()
        for number in 0..<4 {
            port.machine.isSuspect = number == 1
            port.pass(.minutes(5))
            port.receive(fix)
            if personality == .teseo { port.pass(.seconds(5)) }
            #expect(port.databases.isEmpty == (number < 3), "check \(number)")
        }
    }

    @Test("Attack: the false signal comes while the database is received.")
    func doubtInTheMidstOfIt() {
        let port = conversation(.m10)
        port.open()
        port.receiver.isSilent = true
        port.close(hasFix: true)
        port.receive(Self.parts(.m10)[0])
        port.machine.isSuspect = true
        port.receive(Self.parts(.m10)[1])
        #expect(port.isPortClosed && port.databases.isEmpty)
        // Nor is one given back to a receiver that restarts then.
        let next = conversation(.m10)
        next.databases = ["u-blox|[1, 2, 3, 4, 5]": Self.parts(.m10).flatMap(\.self)]
        next.open()
        let count = next.receiver.given.count
        next.machine.isSuspect = true
        next.pass(.seconds(10))
        next.receive(next.receiver.startText ?? [])
        next.settle()
        #expect(count == 3 && next.receiver.given.count == count)
    }

    @Test("Attack: a receiver of the same kind at the same port gets the place of another one.")
    func otherReceiver() {
        let port = conversation(.m10)
        port.open()
        port.close(hasFix: true)
        let other = conversation(.m10)
        other.receiver.identifier = [9, 9, 9, 9, 9]
        other.databases = port.databases
        other.open()
        #expect(other.receiver.given.isEmpty && port.databases.count == 1)
        // Nor does one that has no identifier.
        other.receiver.identifier = []
        other.close()
        other.open()
        #expect(other.receiver.given.isEmpty)
    }

    @Test(
        "Attack: a database is cut off, longer than 64 kB, of another length than stated, or damaged.",
        arguments: [Personality.m8, .m10], 0..<5)
    func damagedDatabases(personality: Personality, fault: Int) {
        let port = conversation(personality)
        port.open()
        switch fault {
        case 0: port.receiver.statedCount = 4
        case 1: port.receiver.statedCount = 0
        case 2:
            port.receiver.database = Self.parts(personality, count: 200).map { _ in Self.parts(personality, count: 4)[3]
            }
            port.receiver.database += port.receiver.database
        case 3: port.receiver.database[1][8] ^= 1
        default: port.receiver.database[1] = ReceiverMessage.ubx(0x13_80, [UInt8](repeating: 0, count: 261)).frame
        }
        port.close(hasFix: true)
        port.settle()
        #expect(port.isPortClosed && port.databases.isEmpty && port.outcome(.database)?.outcome == .unanswered)
    }

    @Test("Attack: a receiver sends parts without an end, and keeps the port open.")
    func endlessDatabase() {
        let port = conversation(.m10)
        port.open()
        port.receiver.isSilent = true
        port.close(hasFix: true)
        for _ in 0..<100 {
            port.receive(Self.parts(.m10)[1])
            port.pass(.milliseconds(200))
        }
        #expect(port.isPortClosed && port.databases.isEmpty)
    }

    @Test("Attack: a receiver passes off commands as its database, to have them written to its port.")
    func foreignParts() {
        let commands = [
            ReceiverMessage.ubx(0x06_09, [0, 0, 0, 0, 0xFF, 0xFF, 0, 0]), .ubx(0x09_14, [0, 0, 0, 0]),
            .sentence(["PSTMSAVEPAR"]), .sentence(["PSTMEPHEM", "1", "4", "$PSTMSAVEPAR"]),
        ]
        for personality in Self.withDatabase {
            let port = conversation(personality)
            port.open()
            port.receiver.database.insert(contentsOf: commands.map(\.frame), at: 1)
            port.receiver.statedCount = 3
            port.close(hasFix: true)
            port.settle()
            #expect(port.databases.values.first == Self.parts(personality).flatMap(\.self))
            // And if the disk had them.
            let next = conversation(personality)
            next.databases = port.databases.mapValues { _ in port.receiver.database.flatMap(\.self) }
            next.open()
            #expect(next.receiver.given == Self.parts(personality))
        }
    }
}
