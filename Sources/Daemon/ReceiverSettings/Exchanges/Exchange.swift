internal import LocationModel
internal import NIOCore

/// The exchange about one value of a receiver: it is read, written to volatile memory, and read back.
///
/// Values are the numbers of the protocol in its own units and order. Nothing here is saved to flash or battery-backed
/// memory, changes a baud rate, or needs a pin or a loss of power to be undone.
struct Exchange {
    /// The setting that the value belongs to.
    let name: ReceiverSetting.Name
    /// The part of the setting, if it has several.
    let part: String
    /// The question for the value.
    let read: [UInt8]
    /// The command that an acknowledgement of `read` names.
    let readCommand: Int
    /// Returns the value in an answer to `read`, or `nil` for any other message.
    let value: (ReceiverMessage) -> [Int]?
    /// Returns the value to set instead of this one, or `nil` if the receiver lacks it.
    let wanted: ([Int]) -> [Int]?
    /// Returns the command that sets the value.
    let write: ([Int]) -> [UInt8]
    /// The command that an acknowledgement of `write` names.
    let writeCommand: Int
    /// Returns the value as a text for people.
    let text: ([Int]) -> String
    /// The time that the receiver needs after the command.
    let settlingTime: TimeAmount

    init(
        _ name: ReceiverSetting.Name, part: String = "", read: ReceiverMessage, _ readCommand: Int,
        value: @escaping (ReceiverMessage) -> [Int]?, wanted: @escaping ([Int]) -> [Int]?,
        write: @escaping ([Int]) -> ReceiverMessage, _ writeCommand: Int, text: (([Int]) -> String)? = nil,
        settlingTime: TimeAmount = .zero
    ) {
        (self.name, self.part) = (name, part)
        (self.read, self.readCommand) = (read.frame, readCommand)
        (self.value, self.wanted) = (value, wanted)
        // By default, the value is a switch, and a part is listed if it is on.
        let (on, off) = part.isEmpty ? ("on", "off") : (part, "")
        self.text = text ?? { $0[0] == 0 ? off : on }
        self.write = { write($0).frame }
        self.writeCommand = writeCommand
        self.settlingTime = settlingTime
    }

    /// A Boolean value indicating whether the command restarts the receiver's engine.
    var restarts: Bool { settlingTime > .zero }

    /// The key of the value among all of a dialect.
    var key: String { part.isEmpty ? name.rawValue : "\(name.rawValue).\(part)" }
}

/// A value that a profile or the demand wants.
enum WantedSetting: Equatable {
    case interval(milliseconds: Int)
    case model(DynamicModel)
    case constellations(Set<String>)
    case ubx
    /// Only the sentences with the position, to fit more fixes into the line.
    case positionSentencesOnly
    case predictions
    /// The acknowledgement of help for the first fix.
    case acknowledgements
    /// Reports on the corrections that the receiver reads.
    case correctionReports

    var name: ReceiverSetting.Name {
        switch self {
        case .interval: .interval
        case .model: .model
        case .constellations: .constellations
        case .ubx, .positionSentencesOnly: .messages
        case .predictions: .predictions
        case .acknowledgements: .acknowledgements
        case .correctionReports: .corrections
        }
    }

    var text: String {
        switch self {
        case .interval(let milliseconds): Self.seconds(milliseconds)
        case .model(let model): model.rawValue
        case .constellations(let names): Self.list(names)
        case .ubx: "ubx"
        case .positionSentencesOnly: "position only"
        case .predictions, .acknowledgements: "on"
        case .correctionReports: "rxm-rtcm"
        }
    }

    /// Returns an interval as a text: `0.2 s`.
    static func seconds(_ milliseconds: Int) -> String {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        guard rest != 0 else { return "\(whole) s" }
        var digits = String(1000 + rest).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits) s"
    }

    static func list(_ names: some Sequence<String>) -> String { names.sorted().joined(separator: " ") }
}

extension ReceiverProfile {
    /// Returns the settings that are wanted with this demand and at this rate, in the order of asking for them.
    ///
    /// - Parameter acknowledgesDatabase: `true` if the receiver can acknowledge the parts of its navigation database.
    func settings(
        for demand: ReceiverDemand, _ rate: RateChoice.Choice?, acknowledgesDatabase: Bool
    ) -> [WantedSetting] {
        var settings: [WantedSetting] = []
        switch model {
        case .fixed(let model): settings.append(.model(model))
        case .activity: settings.append(.model(DynamicModel(demand.activity)))
        case nil: break
        }
        if let constellations { settings.append(.constellations(Set(constellations.map(\.rawValue)))) }
        if assistance.contains(.predictions) { settings.append(.predictions) }
        if assistance.contains(.database), acknowledgesDatabase { settings.append(.acknowledgements) }
        if sendsUBX { settings.append(.ubx) }
        // Fewer sentences before more fixes.
        if rate?.isShort == true { settings.append(.positionSentencesOnly) }
        if let rate { settings.append(.interval(milliseconds: rate.milliseconds)) }
        return settings
    }
}
