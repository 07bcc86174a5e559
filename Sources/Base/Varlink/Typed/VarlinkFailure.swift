internal import Bytewise
internal import JSON

/// The errors of an interface as one type.
///
/// It has one case for each error of the definition, with the same name but a lowercase initial. The associated
/// values are the error's fields.
public protocol VarlinkFailure: Error, Codable, Equatable {
    /// The interface that defines the errors.
    associatedtype Interface: VarlinkInterface
}

extension VarlinkFailure {
    /// Creates the failure for an error from the wire, or `nil` if the interface has no such error or the parameters
    /// do not fit.
    public init?(_ error: VarlinkError) {
        let prefix = Interface.name + "."
        guard error.name.hasPrefix(prefix), let initial = error.name.dropFirst(prefix.count).first,
            initial.isUppercase
        else { return nil }
        let name = initial.lowercased() + error.name.dropFirst(prefix.count + 1)
        // Swift encodes an enum case as an object whose only key is the case's name, with the associated values as its
        // value.
        let form = JSONValue.object([BytewiseString(name): error.parameters])
        guard let failure = try? form.decoded(as: Self.self) else { return nil }
        self = failure
    }
}

extension VarlinkError {
    /// Creates the wire form of a failure.
    public init<Failure: VarlinkFailure>(_ failure: Failure) {
        var writer = JSONWriter()
        guard (try? writer.value(encoding: failure)) != nil, let value = try? JSONValue(parsing: writer.bytes.span),
            case .object(let members) = value, let (name, parameters) = members.first, let initial = name.text.first
        else { preconditionFailure("\(failure) does not encode as a case with its values") }
        self.init(
            "\(Failure.Interface.name).\(initial.uppercased())\(name.text.dropFirst())", parameters: parameters)
    }
}
