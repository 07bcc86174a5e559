/// The type of an interface, which its methods and errors refer to.
///
/// A service and its clients share these types, so each method and each error has a single definition.
public protocol VarlinkInterface: SendableMetatype {
    /// The errors of the definition.
    associatedtype Failure: VarlinkFailure where Failure.Interface == Self
    /// The reverse-domain name, such as `org.example.Station`.
    static var name: String { get }
    /// The definition, in Varlink's interface definition language.
    static var definition: String { get }
}

/// The type of a method, named after it.
public protocol VarlinkMethod: SendableMetatype {
    /// The interface that defines the method.
    associatedtype Interface: VarlinkInterface
    /// The parameters of a call. They encode as an object.
    associatedtype Parameters: Codable & Sendable
    /// The parameters of each reply. They encode as an object.
    associatedtype Reply: Codable & Sendable
    /// The method's name, without the interface's.
    static var name: String { get }
    /// A Boolean value indicating whether the method replies repeatedly, so that it must be called with `more`.
    static var requiresMore: Bool { get }
}

extension VarlinkMethod {
    /// The method's name. Default: the name of the type.
    public static var name: String { "\(Self.self)" }
    /// The fully qualified name, such as `org.example.Station.GetForecast`.
    public static var qualifiedName: String { "\(Interface.name).\(name)" }
    /// A Boolean value indicating whether the method must be called with `more`. Default: false.
    public static var requiresMore: Bool { false }
}

/// The parameters of a call or a reply without parameters: an empty object.
public struct Nothing: Codable, Sendable, Hashable {
    /// Creates the only value.
    public init() {}
}
