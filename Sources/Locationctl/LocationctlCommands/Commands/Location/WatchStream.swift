internal import ArgumentParser
internal import Glibc

/// A stream that `watch` prints; each is a method of the interface.
enum WatchStream: EnumerableFlag {
    case locations, significantChanges, visits, regions, heading

    static func name(for value: WatchStream) -> NameSpecification { .long }

    static func help(for value: WatchStream) -> ArgumentHelp? {
        switch value {
        case .locations: "Locations (default)."
        case .significantChanges: "A location after each move of at least 500 m, at most once every 300 s."
        case .visits: "Arrivals and departures."
        case .regions: "The states and crossings of the regions of `locationctl region`."
        case .heading: "The direction that the device points in."
        }
    }

    /// The reason that the prompt shows to the user.
    var reason: String {
        switch self {
        case .locations: "to print the location in a terminal"
        case .significantChanges: "to report in a terminal when this machine has moved far"
        case .visits: "to report in a terminal when this machine arrives at a place and leaves it"
        case .regions: "to report in a terminal when this machine enters or leaves a region"
        case .heading: "to print in a terminal the direction that this machine points in"
        }
    }

    /// A Boolean value indicating whether the stream consists of locations, which form a track.
    var isTrack: Bool { self == .locations || self == .significantChanges }

    /// A Boolean value indicating whether the daemon starts the app for the stream's events.
    var canWake: Bool { self == .significantChanges || self == .visits }

    /// The option on the command line.
    var option: String {
        switch self {
        case .locations: "--locations"
        case .significantChanges: "--significant-changes"
        case .visits: "--visits"
        case .regions: "--regions"
        case .heading: "--heading"
        }
    }
}

/// The path of the socket that starts an app, made absolute: the daemon has another working directory.
struct WakePath {
    /// The absolute path.
    let path: String

    init(_ text: String) throws {
        guard !text.isEmpty else { throw ValidationError("the path must not be empty") }
        guard !text.hasPrefix("/") else {
            path = text
            return
        }
        guard let folder = getcwd(nil, 0) else {
            throw ValidationError("use an absolute path: the working directory does not exist")
        }
        defer { free(folder) }
        path = String(cString: folder) + "/" + text
    }
}
