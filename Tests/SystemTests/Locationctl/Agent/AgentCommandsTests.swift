import AuthorizationPolicy
import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The commands that show and answer prompts without an agent.
@Suite(.timeLimit(.minutes(15))) struct AgentCommandsTests {
    @Test func promptsAndTheirAnswers() async throws {
        var temporary = AgentSamples.prompt(
            id: 2, question: .temporaryFullAccuracy, answers: [.deny, .once, .dismiss])
        temporary.description = nil
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1), temporary])
        func run(_ arguments: String) async throws -> Program.Result {
            try await locationctl(arguments, runtime: daemon.runtime)
        }
        let table = try await run("prompts").lines
        #expect(table.count == 3)
        #expect(table[1].contains("\"to show where you are\" (its own words)"))
        #expect(table[2].contains("full accuracy for now") && table[2].contains("deny, once, dismiss"))
        let json = try await run("prompts --json")
        #expect(try JSONDecoder().decode([Shown].self, from: Data(json.output.utf8)).map(\.id) == [1, 2])
        let wrong = try await run("answer 2 always")
        #expect(wrong.status == 1 && wrong.errors.contains("deny, once, dismiss"), "\(wrong.errors)")
        let gone = try await run("answer 77 deny")
        #expect(gone.status == 1 && gone.errors.contains("there is no open prompt 77"), "\(gone.errors)")
        #expect(
            try await run("answer 1 until-tomorrow --reduced").output == "Prompt 1 was answered: until-tomorrow.\n")
        #expect(try await run("answer 2 once").status == 0)
        #expect(
            daemon.taken == [
                .init(id: 1, answer: .untilTomorrow, accuracy: .reduced), .init(id: 2, answer: .once),
            ])
        #expect(try await run("prompts").output == "No app is waiting for an answer.\n")
        for usage in ["answer 1 yes", "answer x deny", "answer 1 deny --full", "answer 1 once --full --reduced"] {
            #expect(try await run(usage).status == 2)
        }
    }

    private struct Shown: Decodable { var id: Int }

    @Test func whoUsesTheLocation() async throws {
        let apps: JSONValue = [
            "apps": [
                [
                    "app": "app:a", "uid": 7, "displayName": "<b>M&ps</b>\u{1B}\u{202E}", "active": true,
                    "background": true, "accuracy": "full", "lastUse": "2026-06-01T12:00:00.000Z",
                ],
                [
                    "app": "exe:/usr/bin/foo", "uid": 7, "active": false, "background": false, "accuracy": "reduced",
                    "lastUse": "2026-06-01T09:30:00.000Z",
                ],
            ]
        ]
        let daemon = try await PresetDaemon(["GetIndicator": .replies([apps])])
        let table = try await locationctl("indicator", runtime: daemon.runtime)
        #expect(
            table.output == """
                   APP               NAME           UID  LAST USE (UTC)    ACCURACY  BACKGROUND
                *  app:a             <b>M&ps</b>\u{FFFD}\u{FFFD}  7    now               full      yes
                   exe:/usr/bin/foo                 7    2026-06-01 09:30  reduced

                """)
        let bar = try await locationctl("indicator --waybar --follow", runtime: daemon.runtime)
        let shown = try JSONDecoder().decode([String: String].self, from: Data(bar.output.utf8))
        let name = "&lt;b&gt;M&amp;ps&lt;/b&gt;\u{FFFD}\u{FFFD}"
        #expect(
            shown == [
                "text": name, "class": "background",
                "tooltip": name + ": now, in background\nexe:/usr/bin/foo: 2026-06-01 09:30 UTC, reduced accuracy",
            ])
        #expect(bar.lines.count == 1)
        #expect(try await locationctl("indicator --waybar --json", runtime: daemon.runtime).status == 2)
        let idle = try await PresetDaemon(["GetIndicator": .replies([["apps": []] as JSONValue])])
        #expect(
            try await locationctl("indicator --waybar", runtime: idle.runtime).output
                == "{\"text\":\"\",\"tooltip\":\"\",\"class\":\"idle\"}\n")
        #expect(try await locationctl("indicator --follow --json", runtime: idle.runtime).output == "[]\n")
    }

    @Test func whatWasSent() async throws {
        let daemon = try await PresetDaemon([
            "GetAccessLog": .replies([
                [
                    "entries": [
                        [
                            "app": "app:a", "uid": 7, "hour": "2026-06-01T12:00:00.000Z", "deliveries": 60,
                            "accuracy": "full", "background": true,
                        ]
                    ]
                ] as JSONValue
            ])
        ])
        #expect(
            try await locationctl("log", runtime: daemon.runtime).output == """
                HOUR (UTC)        APP    UID  SENT  ACCURACY  BACKGROUND
                2026-06-01 12:00  app:a  7    60    full      yes

                """)
        let json = try await locationctl("log --json", runtime: daemon.runtime)
        #expect(json.output.hasPrefix("[{\"app\":\"app:a\""))
    }

    @Test func whatAppsWaitFor() async throws {
        let app: JSONValue = [
            "app": "exe:/opt/tracker/bin/tracker", "uid": 1000, "strength": "advisory",
            "status": "authorizedWhenInUse", "accuracy": "full", "servicesEnabled": true, "revision": 7,
            "decision": [
                "level": "whenInUse", "accuracy": "reduced", "lifetime": "permanent", "temporarilyFull": true,
            ],
            "displayName": "Tracker", "connections": 1, "sessions": 1,
        ]
        let prompt = AgentSamples.prompt(id: 5, question: .alwaysInsteadOfWhenInUse, answers: [.whileUsing, .always])
        let daemon = try await PresetDaemon([
            "ListApps": .replies([["apps": [app]] as JSONValue]),
            "MonitorPrompts": .replies([MonitorPrompts.Reply(prompts: [prompt])]),
        ])
        let shown = try await locationctl("apps", runtime: daemon.runtime)
        #expect(shown.lines[1].contains("Tracker  1000  while in use, full accuracy for now"), "\(shown.output)")
        let waits = try #require(shown.lines.last)
        #expect(
            waits.hasPrefix("exe:/opt/tracker/bin/tracker is waiting for an answer: run `locationctl answer 5 ANSWER"))
        #expect(waits.hasSuffix("where ANSWER is one of while-using, always."))
    }

    @Test func whatTheAdministratorForbidsNobodyGrants() async throws {
        let daemon = try await PresetDaemon([
            "ListApps": .replies([["apps": []] as JSONValue]),
            "Grant": .error(VarlinkError("io.locationd.Manage.Restricted", parameters: ["app": "exe:/x\u{1B}"])),
        ])
        let result = try await locationctl("grant exe:/x", runtime: daemon.runtime)
        #expect(result.status == 1)
        #expect(result.errors.contains("configuration forbids exe:/x\u{FFFD} the location"), "\(result.errors)")
    }

    private func locationctl(_ arguments: String, runtime: String) async throws -> Program.Result {
        try await Program.run(
            Program.path("locationctl"), arguments.split(separator: " ").map(String.init),
            environment: ["LOCATIOND_RUNTIME_DIRECTORY": runtime, "TZ": "UTC0"])
    }
}
