internal import NIOCore

/// A protocol for asking and setting receivers: a table of commands, without state.
protocol ReceiverDialect {
    var name: ReceiverProfile.Dialect { get }
    /// The commands for standby in the order to try them. Empty if the receiver has none that can be undone.
    var standby: [Standby] { get }
    /// The command that ends a standby, sent when the receiver has been identified; `nil` if any byte ends it.
    var start: [UInt8]? { get }
    /// A text that the receiver sends only when it starts, or an empty one. Its first character comes once in it.
    var startText: String { get }
    /// The commands for the navigation database, or `nil` if the receiver does not give it away.
    var database: DatabaseCommands? { get }

    /// Returns the exchanges for a setting, in their order. Empty if the dialect lacks the setting or cannot read it: a
    /// value that cannot be read could not be put back.
    func exchanges(for wanted: WantedSetting) -> [Exchange]
    /// Returns the interval nearest to this one that the receiver supports, in milliseconds.
    func nearestInterval(to milliseconds: Int) -> Int
    /// Returns a message's verdict on a command, or `nil` if it is something else.
    func verdict(in message: ReceiverMessage) -> Verdict?
    /// Returns the command that gives the receiver the time, or `nil` if it has none.
    func help(time: FirstFixHelp.Time) -> ReceiverMessage?
    /// Returns the command that gives the receiver its place, or `nil` if it has none, or needs the time with it.
    func help(position: FirstFixHelp.Position, time: FirstFixHelp.Time?) -> ReceiverMessage?
}

/// A command for standby.
struct Standby: Equatable {
    var command: [UInt8]
    /// A Boolean value indicating whether all messages end. Otherwise only fixes do.
    var silences = true

    init(_ message: ReceiverMessage, silences: Bool = true) {
        (command, self.silences) = (message.frame, silences)
    }
}

/// A receiver's verdict on a command.
struct Verdict: Equatable {
    /// The command, or `nil` if the receiver does not name it.
    var command: Int?
    var isAccepted: Bool

    func concerns(_ command: Int) -> Bool { self.command == nil || self.command == command }

    func refuses(_ command: Int) -> Bool { concerns(command) && !isAccepted }
}

extension ReceiverDialect {
    var standby: [Standby] { [] }
    var start: [UInt8]? { nil }
    var startText: String { "" }
    var database: DatabaseCommands? { nil }
    func nearestInterval(to milliseconds: Int) -> Int { milliseconds }
    func help(time: FirstFixHelp.Time) -> ReceiverMessage? { nil }
    func help(position: FirstFixHelp.Position, time: FirstFixHelp.Time?) -> ReceiverMessage? { nil }

    /// Returns the interval of these that is nearest to the given one.
    func nearest(of intervals: [Int], to milliseconds: Int) -> Int {
        intervals.min { abs($0 - milliseconds) < abs($1 - milliseconds) } ?? milliseconds
    }

    /// Returns the exchange about an interval that is one number in milliseconds.
    func interval(
        _ milliseconds: Int, read: ReceiverMessage, _ readCommand: Int,
        value: @escaping (ReceiverMessage) -> [Int]?, write: @escaping ([Int]) -> ReceiverMessage, _ writeCommand: Int
    ) -> [Exchange] {
        guard nearestInterval(to: milliseconds) == milliseconds else { return [] }
        return [
            Exchange(
                .interval, read: read, readCommand, value: value, wanted: { _ in [milliseconds] }, write: write,
                writeCommand, text: { WantedSetting.seconds($0[0]) })
        ]
    }
}

/// A question for the identity, in the order of asking.
enum IdentityQuestion: CaseIterable {
    case ublox
    /// The questions of all dialects in sentences, since those ignore each other's.
    case sentences
    case skytraq

    /// Returns the questions that a profile asks.
    static func all(in dialect: ReceiverProfile.Dialect) -> [IdentityQuestion] {
        switch dialect {
        case .auto: allCases
        case .ublox: [.ublox]
        case .mtk, .airoha, .casic, .stm, .quectel: [.sentences]
        case .skytraq: [.skytraq]
        }
    }

    /// Returns whether the answer of a dialect is an answer to this question.
    func fits(_ dialect: ReceiverProfile.Dialect) -> Bool {
        switch self {
        case .ublox: dialect == .ublox
        case .skytraq: dialect == .skytraq
        case .sentences: true
        }
    }

    func bytes(in dialect: ReceiverProfile.Dialect) -> [UInt8] {
        switch self {
        case .ublox: ReceiverMessage.ubx(0x0A_04, []).frame
        case .skytraq: ReceiverMessage.skytraq([0x02, 0x01]).frame
        case .sentences:
            Self.sentenceQuestions.filter { dialect == .auto || $0.0.contains(dialect) }.flatMap {
                ReceiverMessage.sentence([$0.1]).frame
            }
        }
    }

    private static let sentenceQuestions: [([ReceiverProfile.Dialect], String)] = [
        ([.mtk], "PMTK605"), ([.airoha], "PAIR020"), ([.airoha, .quectel], "PQTMVERNO"), ([.casic], "PCAS06,0"),
        ([.stm], "PSTMGETSWVER,255"),
    ]

    /// Returns the identity in an answer, and the dialect, or `nil` if the message is something else.
    ///
    /// - Parameter isUSB: A Boolean value indicating whether the port is the receiver's own USB.
    static func identity(
        in message: ReceiverMessage, isUSB: Bool
    ) -> (ReceiverIdentity, any ReceiverDialect)? {
        switch message {
        case .ubx(0x0A_04, let payload): UBloxDialect.identity(payload, isUSB: isUSB)
        case .skytraq(let payload): SkyTraqDialect.identity(payload)
        case .sentence(let fields):
            MediaTekDialect.identity(fields) ?? AirohaDialect.identity(fields) ?? CASICDialect.identity(fields)
                ?? TeseoDialect.identity(fields) ?? QuectelDialect.identity(fields)
        default: nil
        }
    }
}
