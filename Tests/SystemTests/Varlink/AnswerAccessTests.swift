import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Whose prompts a user may answer.
@Suite(.timeLimit(.minutes(15)), .enabled(if: Attack.isRoot, "needs root"))
struct AnswerAccessTests {
    private func answer(_ id: Int, _ daemon: TestDaemon) async throws -> String {
        let call =
            "{\"method\":\"io.locationd.Manage.AnswerPrompt\",\"parameters\":{\"id\":\(id),\"answer\":\"always\"}}"
        let command =
            Attack.asNobody + ["/usr/bin/python3", "-c", Program.script("Varlink/call"), daemon.managementSocket, call]
        let result = try await Program.run(command[0], Array(command.dropFirst()))
        #expect(result.lines.count == 1, "\(result.errors)")
        return result.lines.first ?? ""
    }

    private func daemon() async throws -> TestDaemon {
        let daemon = try await TestDaemon(receivers: [])
        for path in [daemon.folder.path, daemon.runtime] { chmod(path, 0o755) }
        daemon.letManage(group: Attack.nobodysGroup)
        return daemon
    }

    private func prompt(_ daemon: TestDaemon) async throws -> Prompt {
        var prompt: Prompt?
        try await eventually("the prompt") {
            prompt = try await daemon.call(MonitorPrompts.self, .init()).prompts.first
            return prompt != nil
        }
        return try #require(prompt)
    }

    /// Attack: a user who may manage their own apps answers the prompts of another user.
    @Test func anotherUsersPromptDoesNotExist() async throws {
        let daemon = try await daemon()
        let app = try RunningProgram(
            "/usr/bin/python3",
            ["-c", Program.script("Authorization/requesting"), daemon.runtime + "/io.locationd.Location"])
        let prompt = try await prompt(daemon)
        #expect(try await answer(prompt.id, daemon).contains("io.locationd.Manage.NoSuchPrompt"))
        #expect(try await self.prompt(daemon).id == prompt.id, "it is still open")
        app.signal(SIGKILL)
    }

    /// Attack: a user lets a system service that runs as that user have the location. It serves the whole machine.
    @Test(.enabled(if: ControlGroupFolder.isPossible, "needs a writable cgroup2"))
    func aServicesPromptIsRoots() async throws {
        let daemon = try await daemon()
        let group = try ControlGroupFolder("system.slice/locationdtest\(getpid()).service")
        let command =
            group.launcher + Attack.asNobody + [
                "/usr/bin/python3", "-c", Program.script("Authorization/requesting"),
                daemon.runtime + "/io.locationd.Location",
            ]
        let service = try RunningProgram(command[0], Array(command.dropFirst()))
        let prompt = try await prompt(daemon)
        #expect(prompt.app.hasPrefix("service:") && prompt.uid == 65534)
        #expect(try await answer(prompt.id, daemon).contains("org.varlink.service.PermissionDenied"))
        #expect(try await self.prompt(daemon).id == prompt.id, "it is still open")
        service.signal(SIGKILL)
        _ = try await service.end()
    }
}
