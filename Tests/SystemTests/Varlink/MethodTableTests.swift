import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Every method of the two interface definitions is answered by the real daemon, and each has an access rule.
@Suite(.timeLimit(.minutes(15)))
struct MethodTableTests {
    /// Attack: a method is added, and its access rule is forgotten. Without a grant, the methods for apps have only
    /// these replies.
    @Test func withoutAGrantAnAppGetsNothing() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let answers: [(method: String, parameters: String, answer: String)] = [
            ("GetAuthorization", "{}", #""status":"notDetermined""#),
            ("RequestAuthorization", #"{"level":"always"}"#, "UsageDescriptionMissing"),
            ("RequestTemporaryFullAccuracy", #"{"purposeKey":"a"}"#, "PromptDeclined"),
            ("SetBackground", #"{"background":false}"#, #""parameters":{}"#),
            ("Subscribe", "{}", "NotAuthorized"),
            ("GetLocation", "{}", "NotAuthorized"),
            ("Record", "{}", "NotAuthorized"),
            ("MonitorSignificantChanges", "{}", "NotAuthorized"),
            ("MonitorVisits", "{}", "NotAuthorized"),
            ("GetCompass", "{}", "NotAuthorized"),
            ("MonitorHeading", "{}", "NotAuthorized"),
            ("MonitorRegions", "{}", "NotAuthorized"),
            ("GetRanging", "{}", #""available":"#),
            ("RangeBeacons", #"{"constraint":{"uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0"}}"#, "NotAuthorized"),
            (
                "StartMonitoringRegion", #"{"region":{"identifier":"a","latitude":1,"longitude":2,"radius":100}}"#,
                "NotAuthorized"
            ),
            (
                "StartMonitoringBeaconRegion",
                #"{"region":{"identifier":"a","uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0"}}"#, "NotAuthorized"
            ),
            ("StopMonitoringRegion", #"{"identifier":"a"}"#, #""parameters":{}"#),
            ("ListRegions", "{}", #""regions":[]"#),
            ("GetRegionState", #"{"identifier":"a"}"#, "NotAuthorized"),
            ("GetGeocoder", "{}", #""parameters":{}"#),
        ]
        let definition = try InterfaceDescription(parsing: LocationInterface.definition)
        #expect(Set(answers.map(\.method)) == Set(definition.methods.map(\.name)))
        let needsMore = Set([
            "Subscribe", "Record", "MonitorVisits", "MonitorHeading", "MonitorRegions", "MonitorSignificantChanges",
            "RangeBeacons",
        ])
        for (method, parameters, answer) in answers {
            let connection = try RawSocket(LocationInterface.socketPath(in: daemon.runtime))
            let more = needsMore.contains(method) ? #","more":true"# : ""
            let reply = try await connection.exchange(
                #"{"method":"io.locationd.Location.\#(method)","parameters":\#(parameters)\#(more)}"#)
            #expect(reply.contains(answer), "\(method): \(reply)")
        }
    }

    @Test func everyMethodOfManagersIsThere() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let definition = try InterfaceDescription(parsing: ManageInterface.definition)
        for method in definition.methods.map(\.name) {
            let connection = try RawSocket(daemon.managementSocket)
            let reply = try await connection.exchange(#"{"method":"io.locationd.Manage.\#(method)"}"#)
            #expect(!reply.contains("MethodNot"), "\(method): \(reply)")
        }
    }
}
