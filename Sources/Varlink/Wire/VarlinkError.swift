internal import Bytewise
public import JSON

/// An error as it goes over the wire: a fully qualified name and parameters.
public struct VarlinkError: Error, Sendable, Hashable {
    /// The fully qualified name, such as `org.varlink.service.InvalidParameter`.
    public var name: String
    /// An object with the error's fields.
    public var parameters: JSONValue

    /// An error of that fully qualified name; `parameters` must be an object.
    public init(_ name: String, parameters: JSONValue = [:]) {
        self.name = name
        self.parameters = parameters
    }

    /// The parameters as a value of `type`; throws `DecodingError` when they do not fit.
    public func parameters<T: Decodable>(as type: T.Type = T.self) throws -> T {
        try parameters.decoded(as: type)
    }
}

extension VarlinkError: CustomStringConvertible {
    /// The name, with the parameters as JSON when there are any.
    public var description: String {
        guard parameters != [:] else { return name }
        var writer = JSONWriter()
        writer.value(parameters)
        return "\(name) \(writer.text)"
    }
}

// The errors of org.varlink.service.
extension VarlinkError {
    /// The most that is repeated of a name that a caller gave, in UTF-8 bytes.
    ///
    /// Attack: a caller that does not read has its own names of 60 kB kept in errors.
    static let maximumEcho = 64

    private static func echo(_ name: String) -> JSONValue { .string(name.prefix(bytes: maximumEcho)) }

    /// No such interface.
    public static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InterfaceNotFound", parameters: ["interface": echo(interface)])
    }

    /// The interface has no such method; the name is fully qualified.
    public static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotFound", parameters: ["method": echo(method)])
    }

    /// The interface has the method, but this service does not implement it; the name is fully qualified.
    public static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotImplemented", parameters: ["method": echo(method)])
    }

    /// A parameter is missing, unknown, or not of its type. A nested one is named by the path to it:
    /// `options.distanceFilter`, `regions.0.radius`. At most 64 bytes of it are sent, as of every name that a caller gave.
    public static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InvalidParameter", parameters: ["parameter": echo(parameter)])
    }

    /// The caller may not do this.
    public static let permissionDenied = VarlinkError("org.varlink.service.PermissionDenied")

    /// The method must be called with `more`.
    public static let expectedMore = VarlinkError("org.varlink.service.ExpectedMore")
}

extension VarlinkError {
    /// InvalidParameter that names where decoding failed.
    init(_ error: DecodingError) {
        var path: [any CodingKey]
        switch error {
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        @unknown default: path = []
        }
        self = .invalidParameter(path.map(\.stringValue).joined(separator: "."))
    }
}
