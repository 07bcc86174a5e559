public import LocationModel
public import Varlink

extension VarlinkError {
    /// Returns `failure` as an error of `io.locationd.Location`.
    public static func location(_ failure: LocationFailure) -> VarlinkError { VarlinkError(failure) }

    /// Returns `failure` as an error of `io.locationd.Manage`.
    public static func manage(_ failure: ManageFailure) -> VarlinkError { VarlinkError(failure) }
}

/// The errors of `io.locationd.Location`.
extension LocationFailure: VarlinkFailure {
    /// The interface that defines the errors.
    public typealias Interface = LocationInterface
}

/// The errors of `io.locationd.Manage`.
public enum ManageFailure: VarlinkFailure {
    /// The interface that defines the errors.
    public typealias Interface = ManageInterface

    /// The app does not exist, or nothing was granted to it.
    case nothingGranted(app: String)
    /// The present decision differs from the one that the call names. `app` is the app with its present decision.
    case decisionChanged(app: AppSummary)
    /// The text is not of the form kind:name, or the name is not valid for the kind.
    case invalidApp(app: String)
    /// The prompt was already answered or is no longer needed.
    case noSuchPrompt(id: Int)
    /// The prompt does not offer the answer. `answers` lists the answers that it offers.
    case answerNotOffered(answers: [PromptAnswer])
    /// The administrator's configuration forbids the app the location.
    case restricted(app: String)
    /// The caller is not allowed to make the call.
    case notAuthorized(action: ManagementAction, reason: NotAuthorizedReason)
    /// A limit of the service was reached.
    case limitExceeded(limit: String)
    /// The simulation is not possible.
    case simulationRefused(reason: String)
    /// Nothing says where the machine is, so no place was forgotten.
    case surroundingsUnknown
    /// The disk could not be written, or the access log could not be read.
    case storeFailed(reason: String)
}

/// A permission that a call on the management socket needs: polkit's actions `io.locationd.answer` and
/// `io.locationd.manage`.
public enum ManagementAction: String, Codable, Sendable, CaseIterable {
    /// To view the user's own apps and the receivers, and to answer prompts about these apps.
    case answer
    /// To decide about apps, to switch location services, and to view anything that reveals where the machine is.
    case manage
}

/// The reason for refusing a caller on the management socket.
public enum NotAuthorizedReason: String, Codable, Sendable, CaseIterable {
    /// polkit's rules, or the user who was asked, refuse.
    case refused
    /// The user would have to authenticate, but no agent is running that could ask for it.
    case authenticationNeeded
    /// polkit is not available, or did not answer in time.
    case unavailable
}
