/// An interface as a type, to which its methods and errors belong.
///
/// A service and its clients use the same types, so that each has one definition.
public protocol VarlinkInterface: SendableMetatype {
    /// The errors of the definition.
    associatedtype Failure: VarlinkFailure where Failure.Interface == Self
    /// The reverse-domain name, such as `org.example.Station`.
    static var name: String { get }
    /// The definition, in Varlink's interface definition language.
    static var definition: String { get }
}

/// A method of an interface as a type, named like it.
public protocol VarlinkMethod: SendableMetatype {
    /// The interface that defines it.
    associatedtype Interface: VarlinkInterface
    /// The parameters of a call. Encodes as an object.
    associatedtype Parameters: Codable & Sendable
    /// The parameters of each reply. Encodes as an object.
    associatedtype Reply: Codable & Sendable
    /// The name without the interface's.
    static var name: String { get }
    /// A Boolean value indicating whether the method replies again and again, so that it must be called with `more`.
    static var requiresMore: Bool { get }
}

extension VarlinkMethod {
    /// The name of the type.
    public static var name: String { String(describing: Self.self) }
    /// The fully qualified name, such as `org.example.Station.GetForecast`.
    public static var qualifiedName: String { "\(Interface.name).\(name)" }
    /// False.
    public static var requiresMore: Bool { false }
}

/// The parameters of a call or reply that has none: an empty object.
public struct Nothing: Codable, Sendable, Hashable {
    /// The one value.
    public init() {}
}
