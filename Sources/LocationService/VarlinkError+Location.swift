internal import Authorization
internal import LocationProtocol
internal import Varlink

/// The errors of `io.locationd.Location` and `io.locationd.Manage`.
extension VarlinkError {
    static func notAuthorized(_ status: AuthorizationStatus) -> VarlinkError {
        VarlinkError("\(LocationInterface.name).NotAuthorized", parameters: ["status": .string(status.rawValue)])
    }
    static let servicesDisabled = VarlinkError("\(LocationInterface.name).ServicesDisabled")
    static let locationUnknown = VarlinkError("\(LocationInterface.name).LocationUnknown")
    static let usageDescriptionMissing = VarlinkError("\(LocationInterface.name).UsageDescriptionMissing")
    static let promptDeclined = VarlinkError("\(LocationInterface.name).PromptDeclined")
    static let tooManyRegions = VarlinkError("\(LocationInterface.name).TooManyRegions")
    static let regionMonitoringDenied = VarlinkError("\(LocationInterface.name).RegionMonitoringDenied")
    static let headingUnavailable = VarlinkError("\(LocationInterface.name).HeadingUnavailable")
    static func wakeRefused(_ reason: String) -> VarlinkError {
        VarlinkError("\(LocationInterface.name).WakeRefused", parameters: ["reason": .string(reason)])
    }
    static func regionNotStored(_ reason: String) -> VarlinkError {
        VarlinkError("\(LocationInterface.name).StoreFailed", parameters: ["reason": .string(reason)])
    }
    static func limitExceeded(_ limit: String) -> VarlinkError {
        VarlinkError("\(LocationInterface.name).LimitExceeded", parameters: ["limit": .string(limit)])
    }

    static func nothingGranted(_ app: String) -> VarlinkError {
        VarlinkError("\(ManageInterface.name).NothingGranted", parameters: ["app": .string(app)])
    }
    static func invalidApp(_ app: String) -> VarlinkError {
        VarlinkError("\(ManageInterface.name).InvalidApp", parameters: ["app": .string(app)])
    }
    static func restricted(_ app: String) -> VarlinkError {
        VarlinkError("\(ManageInterface.name).Restricted", parameters: ["app": .string(app)])
    }
    static func noSuchPrompt(_ id: Int) -> VarlinkError {
        VarlinkError("\(ManageInterface.name).NoSuchPrompt", parameters: ["id": .int(Int64(id))])
    }
    static func answerNotOffered(_ answers: [PromptAnswer]) -> VarlinkError {
        VarlinkError(
            "\(ManageInterface.name).AnswerNotOffered",
            parameters: ["answers": .array(answers.map { .string($0.rawValue) })])
    }
    static let tooManyDecisions = VarlinkError(
        "\(ManageInterface.name).LimitExceeded", parameters: ["limit": "decisionsPerUser"])
    static func simulationRefused(_ reason: String) -> VarlinkError {
        VarlinkError("\(ManageInterface.name).SimulationRefused", parameters: ["reason": .string(reason)])
    }
    static func storeFailed(_ reason: String) -> VarlinkError {
        VarlinkError("\(ManageInterface.name).StoreFailed", parameters: ["reason": .string(reason)])
    }
}
