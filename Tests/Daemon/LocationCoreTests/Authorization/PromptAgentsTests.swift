import AuthorizationPolicy
import LocationModel
import Testing

@testable import LocationCore

/// The agents that show prompts, and whose.
@Suite struct PromptAgentsTests {
    private let changes = Changes()

    private func app(_ uid: UInt32, _ name: String) throws -> AppKey {
        AppKey(uid: uid, app: try #require(AppIdentity(name)))
    }

    @Test func anAgentShowsTheAppsOfItsUser() throws {
        let agents = PromptAgents(changes: changes)
        let (own, other) = (try app(1000, "exe:/usr/bin/a"), try app(1001, "exe:/usr/bin/a"))
        let service = try app(1000, "service:a")
        agents.add(.init(uid: 1000, hasServices: false))
        #expect(agents.show(promptsAbout: own))
        #expect(!agents.show(promptsAbout: other) && !agents.show(promptsAbout: service))
        agents.add(.init(uid: nil, hasServices: true))
        #expect(agents.show(promptsAbout: other) && agents.show(promptsAbout: service))
    }

    @Test func onlyTheFirstAndTheLastAreReported() throws {
        var reports = 0
        let agents = PromptAgents(changes: changes)
        changes.observe([.prompts]) { reports += 1 }
        let scope = PromptAgents.Scope(uid: 1000, hasServices: false)
        agents.remove(scope)
        #expect(reports == 0)
        agents.add(scope)
        agents.add(scope)
        agents.remove(scope)
        #expect(reports == 1)
        #expect(agents.show(promptsAbout: try app(1000, "exe:/usr/bin/a")))
        agents.remove(scope)
        #expect(reports == 2)
        #expect(!agents.show(promptsAbout: try app(1000, "exe:/usr/bin/a")))
    }
}
