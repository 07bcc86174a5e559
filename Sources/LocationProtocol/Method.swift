/// A method of an interface: its name and the types of what goes in and comes out.
///
/// The service and its clients both use it, so that each wire type has one definition. A test holds them against the
/// interface definitions.
public protocol Method: SendableMetatype {
    /// What the call carries.
    associatedtype Parameters: Codable & Sendable
    /// What each reply carries.
    associatedtype Reply: Codable & Sendable
    /// The interface that defines it.
    associatedtype Interface: VarlinkInterface
    /// Its name, without the interface's.
    static var name: String { get }
}

extension Method {
    /// The type's own name is the method's.
    public static var name: String { String(describing: Self.self) }
    /// The name as it is called: `io.locationd.Location.GetLocation`.
    public static var qualifiedName: String { "\(Interface.name).\(name)" }
}

/// A method of the public interface.
public protocol LocationMethod: Method where Interface == LocationInterface {}

/// A method of the interface of the machine's people.
public protocol ManageMethod: Method where Interface == ManageInterface {}

/// One of this project's interfaces.
public protocol VarlinkInterface {
    /// The reverse-domain name.
    static var name: String { get }
    /// The definition, as its file has it.
    static var definition: String { get }
    /// The folder of the interface's socket, where the daemon's runtime directory is `runtimeDirectory`.
    static func folder(in runtimeDirectory: String) -> String
}

extension VarlinkInterface {
    /// The runtime directory itself.
    public static func folder(in runtimeDirectory: String) -> String { runtimeDirectory }

    /// The path of the interface's socket, where the daemon's runtime directory is `runtimeDirectory`.
    public static func socketPath(in runtimeDirectory: String) -> String {
        "\(folder(in: runtimeDirectory))/\(name)"
    }
}

/// The runtime directory of an installed daemon.
public let installedRuntimeDirectory = "/run/locationd"

/// The parameters of a method that has none.
public struct Nothing: Codable, Sendable, Equatable {
    /// Nothing.
    public init() {}
}

/// The public interface, for every app.
public enum LocationInterface: VarlinkInterface {
    /// The reverse-domain name.
    public static let name = "io.locationd.Location"
    /// The definition, as its file has it.
    public static var definition: String {
        String(decoding: PackageResources.io_locationd_Location_varlink, as: UTF8.self)
    }
}

/// The interface of the machine's people.
public enum ManageInterface: VarlinkInterface {
    /// The reverse-domain name.
    public static let name = "io.locationd.Manage"
    /// The definition, as its file has it.
    public static var definition: String {
        String(decoding: PackageResources.io_locationd_Manage_varlink, as: UTF8.self)
    }
    /// A folder of its own.
    ///
    /// Attack: a sandbox is given the folder of the public socket, and with it the one where grants are made.
    public static func folder(in runtimeDirectory: String) -> String {
        runtimeDirectory == installedRuntimeDirectory ? "\(runtimeDirectory)-manage" : "\(runtimeDirectory)/manage"
    }
}
