internal import Bytewise
internal import JSON

/// The errors of an interface as one type: a case for each error of the definition, called like it, whose associated
/// values are the error's fields.
public protocol VarlinkFailure: Error, Codable, Equatable {
    /// The interface that defines them.
    associatedtype Interface: VarlinkInterface
}

extension VarlinkFailure {
    /// Returns the error that came over the wire; `nil` if the interface has no such error.
    public init?(_ error: VarlinkError) {
        let prefix = Interface.name + "."
        guard error.name.hasPrefix(prefix), let initial = error.name.dropFirst(prefix.count).first,
            initial.isUppercase
        else { return nil }
        let name = initial.lowercased() + error.name.dropFirst(prefix.count + 1)
        // The form in which Swift encodes a case: an object with its name, and in it the associated values.
        let form = JSONValue.object([BytewiseString(name): error.parameters])
        guard let failure = try? form.decoded(as: Self.self) else { return nil }
        self = failure
    }
}

extension VarlinkError {
    /// A failure, as it goes over the wire.
    public init<Failure: VarlinkFailure>(_ failure: Failure) {
        var writer = JSONWriter()
        guard (try? writer.value(encoding: failure)) != nil, let value = try? JSONValue(parsing: writer.bytes.span),
            case .object(let members) = value, let (name, parameters) = members.first, let initial = name.text.first
        else { preconditionFailure("\(failure) does not encode as a case with its values") }
        self.init(
            "\(Failure.Interface.name).\(initial.uppercased())\(name.text.dropFirst())", parameters: parameters)
    }
}
