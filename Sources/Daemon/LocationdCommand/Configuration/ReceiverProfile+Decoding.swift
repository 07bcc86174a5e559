internal import LocationModel
internal import ReceiverSettings
internal import ServiceSupport

extension ReceiverProfile {
    /// Reads the profile of a receiver, or returns `nil` if it has none.
    init?(_ container: KeyedDecodingContainer<ConfigurationFile.Receiver.CodingKeys>, _ decoder: any Decoder) throws {
        let dialect = try container.decodeIfPresent(
            .profile, by: OneOf<Dialect> { "there are no commands for \"\($0)\": use one of \($1)" })
        let takesCorrections = try container.decodeIfPresent(.corrections, by: FlagRule())
        self.init(
            dialect, interval: try container.decodeIfPresent(.interval, by: IntervalRule()),
            model: try container.decodeIfPresent(.model, by: ModelRule()),
            constellations: try container.decodeListIfPresent(
                .constellations,
                by: OneOf(among: Satellite.Constellation.allCases.filter { $0 != .navic }) {
                    "\"\($0)\" is not a constellation to set: use one of \($1)"
                }
            ).map(Set.init),
            sendsUBX: try container.decodeIfPresent(
                .messages, by: OneOf<Messages> { "\"\($0)\" is not known: use \($1)" })
                != nil,
            standsBy: try container.decodeIfPresent(.power, by: OneOf<Power> { "\"\($0)\" is not known: use \($1)" })
                != nil,
            assistance: Set(
                try container.decodeListIfPresent(
                    .assist, by: OneOf<Assistance> { "\"\($0)\" is not known: use one of \($1)" }) ?? []),
            takesCorrections: takesCorrections)
        guard dialect == nil else { return }
        let keys: [ConfigurationFile.Receiver.CodingKeys] = [
            .interval, .model, .constellations, .messages, .power, .assist,
        ]
        guard let key = keys.first(where: container.contains) else {
            // Without a protocol, nothing is written but corrections.
            if takesCorrections != true { return nil }
            return
        }
        throw DecodingError.dataCorrupted(
            .init(
                codingPath: decoder.codingPath + [key],
                debugDescription: "a receiver gets commands only with a profile: add profile = \"auto\""))
    }

    private enum Messages: String, CaseIterable { case ubx }

    private enum Power: String, CaseIterable { case standby }
}

/// The time between two fixes.
private struct IntervalRule: ValueRule {
    private static let range = 0.1...60.0

    func value(of written: NumberOrText) throws(InvalidValue) -> ReceiverProfile.Interval {
        switch written {
        case .number(let seconds) where Self.range.contains(seconds):
            return .fixed(milliseconds: Int((seconds * 1000).rounded()))
        case .text("demand"): return .demand
        case .number(let number): throw refusal("\(number)")
        case .text(let text): throw refusal("\"\(text)\"")
        }
    }

    private func refusal(_ written: String) -> InvalidValue {
        InvalidValue("\(written) is not an interval: use a number of seconds from 0.1 to 60, or \"demand\"")
    }
}

/// A number or a text.
private enum NumberOrText: Decodable {
    case number(Double), text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .number(try WrittenNumber<Double>(from: decoder).value)
        }
    }
}

/// The movements that the receiver's filter expects.
private struct ModelRule: ValueRule {
    func value(of written: String) throws(InvalidValue) -> ReceiverProfile.Model {
        if written == "activity" { return .activity }
        guard let model = DynamicModel(rawValue: written) else {
            let models = DynamicModel.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidValue("\"\(written)\" is not a dynamic model: use activity or one of \(models)")
        }
        return .fixed(model)
    }
}
