import AuthorizationPolicy
import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

@testable import LocationctlSupport

/// The influence of apps on the lists that their user and the administrator look at.
@Suite(.timeLimit(.minutes(15))) struct ViewTests {
    /// Starts programs with paths of nearly 4,000 bytes, each of which requests the location and then keeps waiting.
    private static func askingPrograms(_ count: Int, of daemon: TestDaemon) throws -> RunningProgram {
        let ask = Program.script("View/asking_program")
        let start = Program.script("View/asking_programs")
        return try RunningProgram(
            "/usr/bin/python3",
            ["-c", start, daemon.folder.path, daemon.runtime + "/" + LocationInterface.name, "\(count)", ask])
    }

    /// Attack: two hundred programs with long paths send requests at once. The list of their prompts used to exceed a
    /// frame, which ended root's agent and `locationctl prompts`.
    @Test func promptsOfTwoHundredPrograms() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let follower = try daemon.startCtl("prompts", "--follow", "--json")
        let agent = try await daemon.connect(to: ManageInterface.self).stream(
            MonitorPrompts.qualifiedName, MonitorPrompts.Parameters(), of: MonitorPrompts.Reply.self)
        let answering = try await daemon.connect(to: ManageInterface.self)
        let programs = try Self.askingPrograms(200, of: daemon)
        var open = OpenPrompts()
        var list: MonitorPrompts.Reply?
        var answered = 0
        var rounds = 0
        for try await page in agent {
            #expect(page.prompts.reduce(0) { $0 + $1.app.utf8.count } <= 32_768)
            #expect(page.prompts.allSatisfy { ($0.executable ?? "").utf8.count <= 512 })
            #expect(page.prompts.allSatisfy { $0.app.utf8.count > 3700 && $0.app.hasSuffix("/app") })
            list?.append(page)
            list = list ?? page
            guard let whole = list, whole.continued != true else { continue }
            list = nil
            open.receive(whole)
            #expect(open.prompts.count <= AuthorizationStateMachine.maximumOpenPromptsPerUser)
            // Root sees all of them, in as many replies as necessary.
            if rounds % 8 == 0 {
                let shown = try await daemon.ctl("prompts", "--json")
                #expect(shown.status == 0, "\(shown.errors)")
            }
            rounds += 1
            // The waiting requests have their turn in the end.
            for prompt in whole.prompts {
                _ = try await answering.call(
                    AnswerPrompt.qualifiedName, AnswerPrompt.Parameters(id: prompt.id, answer: .deny),
                    returning: Nothing.self)
                answered += 1
            }
            if answered == 200, open.prompts.isEmpty { break }
        }
        #expect(answered == 200)
        try await eventually("no prompt") { follower.lines.last == "[]" }
        #expect(!follower.hasEnded)
        let apps = try await daemon.ctl("apps")
        #expect(apps.status == 0, "\(apps.errors)")
        #expect(apps.lines.count { $0.contains("/app") && $0.contains("denied") } == 200)
        #expect(!programs.hasEnded, "\(programs.errors)")
    }

    /// Attack: a user makes grants for nonexistent apps with the longest possible names. Three hundred of them used
    /// to break root's `locationctl apps` permanently.
    @Test func aThousandGrantsWithLongNames() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let client = try await daemon.connect(to: ManageInterface.self)
        func grant(_ name: String) async throws {
            _ = try await client.call(
                Grant.qualifiedName, Grant.Parameters(app: "exe:/" + name, level: .always), returning: Grant.Reply.self)
        }
        // Each quotation mark takes two bytes in JSON.
        let tail = String(repeating: "\"", count: 4080)
        for index in 0..<AuthorizationStateMachine.maximumDecisionsPerUser {
            try await grant("\(index)" + (index < 300 ? "/" + tail : ""))
        }
        func isLimit(_ error: any Error) -> Bool {
            (error as? VarlinkError)?.name == "io.locationd.Manage.LimitExceeded"
        }
        await #expect { try await grant("usr/bin/more") } throws: { isLimit($0) }
        let refused = try await daemon.ctl("deny", "exe:/usr/bin/more")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("1,000 apps"), "\(refused.errors)")
        let apps = try await daemon.ctl("apps")
        #expect(apps.status == 0, "\(apps.errors)")
        #expect(apps.lines.count { $0.hasPrefix("exe:/") } == AuthorizationStateMachine.maximumDecisionsPerUser)
        // Existing decisions can be changed and reset, and a reset makes room for another one.
        #expect(try await daemon.ctl("revoke", "exe:/7/" + tail).status == 0)
        #expect(try await daemon.ctl("reset", "exe:/7/" + tail).status == 0)
        #expect(try await daemon.ctl("deny", "exe:/usr/bin/more").status == 0)
    }

    /// Attack: an app opens and closes streams without a pause while a user is watching.
    @Test func changesAreReportedToObserversInBatches() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let watching = try await daemon.connect(to: ManageInterface.self).stream(
            ListSessions.qualifiedName, UserScope(), of: ListSessions.Reply.self)
        var lists = watching.makeAsyncIterator()
        #expect(try await lists.next()?.sessions.isEmpty == true)
        let start = ContinuousClock.now
        for _ in 0..<300 {
            let socket = try RawSocket(daemon.runtime + "/" + LocationInterface.name)
            let call = #"{"method":"io.locationd.Location.Subscribe","more":true,"parameters":{"options":{}}}"#
            _ = try await socket.exchange(call)
        }
        var options = Options()
        options.distanceFilter = 77
        let last = try await daemon.subscribe(options)
        var updates = last.makeAsyncIterator()
        #expect(try await updates.next() != nil)
        var count = 0
        while let list = try await lists.next() {
            count += 1
            if list.sessions.map(\.distanceFilter) == [77] { break }
        }
        let intervals = (ContinuousClock.now - start) / .milliseconds(100)
        #expect(Double(count) <= intervals + 1)
    }
}
