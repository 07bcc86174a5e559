public import LocationModel
public import Varlink

extension VarlinkError {
    /// An error of `io.locationd.Location`.
    public static func location(_ failure: LocationFailure) -> VarlinkError { VarlinkError(failure) }

    /// An error of `io.locationd.Manage`.
    public static func manage(_ failure: ManageFailure) -> VarlinkError { VarlinkError(failure) }
}

/// The errors of `io.locationd.Location`.
extension LocationFailure: VarlinkFailure {
    /// The interface that defines them.
    public typealias Interface = LocationInterface
}

/// The errors of `io.locationd.Manage`.
public enum ManageFailure: VarlinkFailure {
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
