public import Authorization
internal import Bytewise
internal import JSON
public import Varlink

/// The errors of an interface, as one type: a case for each error of the definition, called like it, whose associated
/// values are the error's fields.
///
/// This is the only place where their names and fields are written and read. A test holds the cases against the
/// definition.
public protocol InterfaceFailure: Error, Codable, Equatable {
    /// The interface that defines them.
    associatedtype Interface: VarlinkInterface
}

extension InterfaceFailure {
    /// The error that came over the wire; `nil` if it is none of this interface's.
    public init?(_ error: VarlinkError) {
        let prefix = Interface.name + "."
        guard error.name.hasPrefix(prefix), let initial = error.name.dropFirst(prefix.count).first,
            initial.isUppercase
        else { return nil }
        let name = initial.lowercased() + error.name.dropFirst(prefix.count + 1)
        // The form in which Swift encodes a case: an object with its name, and in it the associated values.
        guard let failure = try? JSONValue.object([BytewiseString(name): error.parameters]).decoded(as: Self.self)
        else {
            return nil
        }
        self = failure
    }
}

extension VarlinkError {
    /// A failure, as it goes over the wire.
    public init<Failure: InterfaceFailure>(_ failure: Failure) {
        var writer = JSONWriter()
        guard (try? writer.value(encoding: failure)) != nil, let value = try? JSONValue(parsing: writer.bytes.span),
            case .object(let members) = value, let (name, parameters) = members.first, let initial = name.text.first
        else { preconditionFailure("\(failure) does not encode as a case with its values") }
        self.init(
            "\(Failure.Interface.name).\(initial.uppercased())\(name.text.dropFirst())", parameters: parameters)
    }

    /// An error of `io.locationd.Location`.
    public static func location(_ failure: LocationFailure) -> VarlinkError { VarlinkError(failure) }

    /// An error of `io.locationd.Manage`.
    public static func manage(_ failure: ManageFailure) -> VarlinkError { VarlinkError(failure) }
}

/// The errors of `io.locationd.Location`.
public enum LocationFailure: InterfaceFailure {
    /// The interface that defines them.
    public typealias Interface = LocationInterface

    /// The app may not have it.
    case notAuthorized(status: AuthorizationStatus)
    /// Location services are switched off, for the machine or for this user.
    case servicesDisabled
    /// No receiver has a location to give.
    case locationUnknown
    /// Neither the app's manifest nor the call says what the location is wanted for.
    case usageDescriptionMissing
    /// Nobody was asked.
    case promptDeclined
    /// The app monitors as many regions as it may.
    case tooManyRegions
    /// Neither regions nor visits are monitored under reduced accuracy.
    case regionMonitoringDenied
    /// The path to wake will not be written to.
    case wakeRefused(reason: String)
    /// No receiver has a compass.
    case headingUnavailable
    /// The change could not be written to the disk.
    case storeFailed(reason: String)
    /// A bound of the service was reached.
    case limitExceeded(limit: String)
}

/// The errors of `io.locationd.Manage`.
public enum ManageFailure: InterfaceFailure {
    /// The interface that defines them.
    public typealias Interface = ManageInterface

    /// No such app, or it has nothing that could be taken back.
    case nothingGranted(app: String)
    /// Not written as kind:name, or the kind cannot have such a name.
    case invalidApp(app: String)
    /// The question was answered already, or there is nothing to be asked any more.
    case noSuchPrompt(id: Int)
    /// Not one of the answers to this question; those are.
    case answerNotOffered(answers: [PromptAnswer])
    /// The administrator's configuration forbids the app the location.
    case restricted(app: String)
    /// A bound of the service was reached.
    case limitExceeded(limit: String)
    /// The simulation cannot be.
    case simulationRefused(reason: String)
    /// The decision could not be written to the disk.
    case storeFailed(reason: String)
}
