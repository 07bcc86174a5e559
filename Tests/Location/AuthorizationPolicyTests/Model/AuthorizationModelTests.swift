import Glibc
import Testing

/// Every order of events, up to a number of them, in a daemon around the state machine.
///
/// Each rule is about one app, and an event of one app must leave all others alone. So a rule that holds for an app
/// alone holds among others, too, if the events of the others change nothing for it: the searches with several apps
/// check that in each step. The exception is the limit of open prompts, which has a search of its own.
@Suite(.serialized) struct AuthorizationModelTests {
    /// The number of events, and the maximum number of states, of `make model`.
    private static let (chosenDepth, limit) = (number("MODEL_DEPTH"), number("MODEL_STATES"))

    private static func number(_ variable: String) -> Int? { getenv(variable).flatMap { Int(String(cString: $0)) } }

    @Test func oneApp() async { await explore(.oneApp, depth: 5) }
    @Test func oneAppWithAllEvents() async { await explore(.oneAppWide, depth: 4) }
    @Test func anAppOfTwoUsers() async { await explore(.twoUsers, depth: 4) }
    @Test func twoAppsOfAUserWithRoomForOnePrompt() async { await explore(.twoApps, depth: 4) }
    @Test func twoAppsOfTwoUsers() async { await explore(.twoAppsOfTwoUsers, depth: 3) }

    private func explore(_ scope: ModelScope, depth: Int) async {
        var explorer = Explorer(scope, limit: Self.limit ?? .max)
        let start = ContinuousClock.now
        for depth in 1...(Self.chosenDepth ?? depth) {
            let goesOn = await explorer.goOn()
            if Self.chosenDepth != nil {
                print(
                    "\(scope.name), \(depth) events\(explorer.isCutShort ? ", not finished" : ""):",
                    "\(explorer.stateCount) states, \(explorer.stepCount) steps, \(ContinuousClock.now - start)")
            }
            if !goesOn { break }
        }
        if let fault = explorer.fault { Issue.record("\(fault)") }
    }
}
