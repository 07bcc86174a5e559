import LocationModel
import Testing
import Varlink

@testable import LocationProtocol

/// The errors of the interface definitions, and their Swift types.
@Suite struct FailureTests {
    private static let location: [LocationFailure] = [
        .notAuthorized(status: .denied), .servicesDisabled, .locationUnknown, .usageDescriptionMissing, .promptDeclined,
        .tooManyRegions, .regionMonitoringDenied, .wakeRefused(reason: "a reason"), .headingUnavailable,
        .storeFailed(reason: "a reason"), .limitExceeded(limit: "a limit"),
    ]
    private static let manage: [ManageFailure] = [
        .nothingGranted(app: "an app"), .invalidApp(app: "an app"), .noSuchPrompt(id: 7),
        .answerNotOffered(answers: [.deny, .dismiss]), .restricted(app: "an app"), .limitExceeded(limit: "a limit"),
        .simulationRefused(reason: "a reason"), .storeFailed(reason: "a reason"),
        .surroundingsUnknown, .notAuthorized(action: .manage, reason: .authenticationNeeded),
        .decisionChanged(
            app: AppSummary(
                key: AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!),
                authorization: Authorization(status: .denied, accuracy: .full, servicesEnabled: true),
                decision: DecisionSummary(level: .denied), revision: 7)),
    ]

    @Test func theyAreThoseOfTheDefinitions() throws {
        try check(Self.location)
        try check(Self.manage)
        try check([GeocoderFailure.noResult, .unavailable(reason: "a reason")])
    }

    private func check<Failure: VarlinkFailure>(_ failures: [Failure]) throws {
        let interface = try InterfaceDescription(parsing: Failure.Interface.definition)
        let errors = failures.map { VarlinkError($0) }
        #expect(Set(errors.map(\.name)) == Set(interface.errors.map { "\(interface.name).\($0.name)" }))
        for (failure, error) in zip(failures, errors) {
            let definition = try #require(interface.errors.first { error.name.hasSuffix(".\($0.name)") })
            try interface.validate(error.parameters, fields: definition.fields)
            #expect(Failure(error) == failure)
        }
    }

    @Test func asTheyGoOverTheWire() {
        #expect(VarlinkError.location(.locationUnknown) == VarlinkError("io.locationd.Location.LocationUnknown"))
        #expect(
            VarlinkError.manage(.answerNotOffered(answers: [.always]))
                == VarlinkError("io.locationd.Manage.AnswerNotOffered", parameters: ["answers": ["always"]]))
    }

    @Test(arguments: [
        VarlinkError("io.locationd.Location.Unheard"), VarlinkError("io.locationd.Location."), VarlinkError(""),
        VarlinkError("io.locationd.Location.NotAuthorized", parameters: ["status": "unheard"]),
        VarlinkError("io.locationd.Location.NotAuthorized"), VarlinkError("io.locationd.Location.locationUnknown"),
        VarlinkError("io.locationd.Manage.StoreFailed", parameters: ["reason": "a reason"]), .permissionDenied,
    ])
    func othersAreNone(error: VarlinkError) {
        #expect(LocationFailure(error) == nil)
    }
}
