internal import Glibc
public import LocationModel
public import Varlink

/// A method of one of the daemon's interfaces.
public protocol DaemonMethod: VarlinkMethod where Interface: DaemonInterface {}

/// A method of the public interface, `io.locationd.Location`.
public protocol LocationMethod: DaemonMethod where Interface == LocationInterface {}

/// A method of the management interface, `io.locationd.Manage`.
public protocol ManageMethod: DaemonMethod where Interface == ManageInterface {}

/// An interface of the daemon, with its own socket.
public protocol DaemonInterface: VarlinkInterface {
    /// Returns the folder of the interface's socket, given the daemon's runtime directory.
    static func folder(in runtimeDirectory: String) -> String
}

extension DaemonInterface {
    /// Returns the runtime directory itself.
    public static func folder(in runtimeDirectory: String) -> String { runtimeDirectory }

    /// Returns the path of the interface's socket, given the daemon's runtime directory.
    public static func socketPath(in runtimeDirectory: String) -> String {
        "\(folder(in: runtimeDirectory))/\(name)"
    }
}

/// The runtime directory of an installed daemon.
public let installedRuntimeDirectory = "/run/locationd"

/// The runtime directory from the environment variable LOCATIOND_RUNTIME_DIRECTORY, or `nil` if the variable is not set
/// or empty.
public var runtimeDirectoryOfEnvironment: String? {
    getenv("LOCATIOND_RUNTIME_DIRECTORY").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}

/// The public interface, for all apps.
public enum LocationInterface: DaemonInterface {
    /// The errors of the interface.
    public typealias Failure = LocationFailure
    /// The reverse-domain name.
    public static let name = "io.locationd.Location"
    /// The definition, from its file.
    public static var definition: String {
        String(decoding: PackageResources.io_locationd_Location_varlink, as: UTF8.self)
    }
}

/// The management interface, for the users of the machine.
public enum ManageInterface: DaemonInterface {
    /// The errors of the interface.
    public typealias Failure = ManageFailure
    /// The reverse-domain name.
    public static let name = "io.locationd.Manage"
    /// The definition, from its file.
    public static var definition: String {
        String(decoding: PackageResources.io_locationd_Manage_varlink, as: UTF8.self)
    }
    /// Returns a separate folder.
    ///
    /// Attack: a sandbox is given the folder of the public socket, and with it the socket that grants are made through.
    public static func folder(in runtimeDirectory: String) -> String {
        runtimeDirectory == installedRuntimeDirectory ? "\(runtimeDirectory)-manage" : "\(runtimeDirectory)/manage"
    }
}
