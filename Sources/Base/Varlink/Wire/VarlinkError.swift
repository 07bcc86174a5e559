internal import Bytewise
public import JSON

/// An error as sent on the wire: a fully qualified name and its parameters.
public struct VarlinkError: Error, Sendable, Hashable {
    /// The fully qualified name, such as `org.varlink.service.InvalidParameter`.
    public var name: String
    /// The error's fields, as an object.
    public var parameters: JSONValue

    /// Creates an error with a fully qualified name. `parameters` must be an object.
    public init(_ name: String, parameters: JSONValue = [:]) {
        self.name = name
        self.parameters = parameters
    }

    /// Returns the parameters as a value of `type`.
    ///
    /// - Throws: `DecodingError` if they do not fit.
    public func parameters<T: Decodable>(as type: T.Type = T.self) throws -> T {
        try parameters.decoded(as: type)
    }
}

extension VarlinkError: CustomStringConvertible {
    /// The name, followed by the parameters as JSON if there are any.
    public var description: String {
        guard parameters != [:] else { return name }
        var writer = JSONWriter()
        writer.value(parameters)
        return "\(name) \(writer.text)"
    }
}

// The errors of org.varlink.service.
extension VarlinkError {
    /// The maximum length of a caller's name that is repeated in an error, in bytes of UTF-8.
    ///
    /// Attack: a caller that does not read its replies fills memory with errors that repeat its names of 60 kB.
    static let maximumEchoedBytes = 64

    private static func echo(_ name: String) -> JSONValue { .string(name.prefix(bytes: maximumEchoedBytes)) }

    /// Returns the error for an interface that the service lacks.
    public static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InterfaceNotFound", parameters: ["interface": echo(interface)])
    }

    /// Returns the error for a method that the interface lacks. `method` is fully qualified.
    public static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotFound", parameters: ["method": echo(method)])
    }

    /// Returns the error for a method that the interface has but the service does not implement. `method` is fully
    /// qualified.
    public static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotImplemented", parameters: ["method": echo(method)])
    }

    /// Returns the error for a parameter that is missing, unknown, or of the wrong type.
    ///
    /// The path of a nested parameter names it, such as `options.distanceFilter` or `regions.0.radius`. As with every
    /// name from a caller, at most 64 bytes of it are sent.
    public static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InvalidParameter", parameters: ["parameter": echo(parameter)])
    }

    /// The error for a call that the caller is not allowed to make.
    public static let permissionDenied = VarlinkError("org.varlink.service.PermissionDenied")

    /// The error for a call without `more` to a method that requires it.
    public static let expectedMore = VarlinkError("org.varlink.service.ExpectedMore")
}

extension VarlinkError {
    /// Creates InvalidParameter with the path of the value that could not be decoded.
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
