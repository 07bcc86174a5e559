public import Authorization
public import Varlink

extension VarlinkError {
    /// An error of `io.locationd.Location`.
    public static func location(_ failure: LocationFailure) -> VarlinkError { VarlinkError(failure) }

    /// An error of `io.locationd.Manage`.
    public static func manage(_ failure: ManageFailure) -> VarlinkError { VarlinkError(failure) }
}

/// The errors of `io.locationd.Location`.
public enum LocationFailure: VarlinkFailure {
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
