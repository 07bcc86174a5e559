public import LocationModel
public import Varlink

/// A method of one of the daemon's interfaces.
public protocol DaemonMethod: VarlinkMethod where Interface: DaemonInterface {}

/// A method of the public interface.
public protocol LocationMethod: DaemonMethod where Interface == LocationInterface {}

/// A method of the interface of the machine's people.
public protocol ManageMethod: DaemonMethod where Interface == ManageInterface {}

/// An interface of the daemon, which has a socket of its own.
public protocol DaemonInterface: VarlinkInterface {
    /// The folder of the interface's socket, where the daemon's runtime directory is `runtimeDirectory`.
    static func folder(in runtimeDirectory: String) -> String
}

extension DaemonInterface {
    /// The runtime directory itself.
    public static func folder(in runtimeDirectory: String) -> String { runtimeDirectory }

    /// The path of the interface's socket, where the daemon's runtime directory is `runtimeDirectory`.
    public static func socketPath(in runtimeDirectory: String) -> String {
        "\(folder(in: runtimeDirectory))/\(name)"
    }
}

/// The runtime directory of an installed daemon.
public let installedRuntimeDirectory = "/run/locationd"

/// The public interface, for every app.
public enum LocationInterface: DaemonInterface {
    /// Its errors.
    public typealias Failure = LocationFailure
    /// The reverse-domain name.
    public static let name = "io.locationd.Location"
    /// The definition, as its file has it.
    public static var definition: String {
        String(decoding: PackageResources.io_locationd_Location_varlink, as: UTF8.self)
    }
}

/// The interface of the machine's people.
public enum ManageInterface: DaemonInterface {
    /// Its errors.
    public typealias Failure = ManageFailure
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
