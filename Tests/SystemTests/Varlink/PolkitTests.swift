import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Users who are not in the group of the management socket: polkit, which is a fake, decides about each call.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: Attack.isRoot && PrivateBus.isInstalled, "needs root, to be another user, and dbus-daemon"))
struct PolkitTests {
    /// The methods that need `io.locationd.answer`, and the methods that need `io.locationd.manage`, with their
    /// parameters.
    private static let methods: [String: [String: String]] = [
        "io.locationd.answer": [
            "ListApps": "{}", "MonitorApps": "{}", "GetServices": "{}", "MonitorPrompts": "{}",
            "AnswerPrompt": #"{"id":1,"answer":"deny"}"#,
            "GetIndicator": "{}", "GetAccessLog": "{}", "ListSessions": "{}", "GetStatistics": "{}",
            "ListReceivers": "{}",
        ],
        "io.locationd.manage": [
            "Grant": #"{"app":"exe:/usr/bin/foo","level":"always"}"#, "Deny": #"{"app":"exe:/usr/bin/foo"}"#,
            "Revoke": #"{"app":"exe:/usr/bin/foo"}"#, "Reset": #"{"app":"exe:/usr/bin/foo"}"#,
            "SetAccuracy": #"{"app":"exe:/usr/bin/foo","accuracy":"full","revision":1}"#,
            "KeepWhileInUse": #"{"app":"exe:/usr/bin/foo","revision":1}"#,
            "SetServices": #"{"enabled":false}"#, "ListSatellites": "{}", "ListPlaces": "{}", "ClearPlaces": "{}",
        ],
    ]

    private let bus: PrivateBus
    private let daemon: TestDaemon

    init() async throws {
        let bus = try await PrivateBus()
        self.bus = bus
        daemon = try await TestDaemon(
            receivers: ["fixed:47.123456,8.654321"], launcher: GeoClueFrontDaemon.launcher(on: bus))
        for path in [daemon.folder.path, daemon.runtime] { chmod(path, 0o755) }
    }

    private func line(_ method: String, _ parameters: String = "{}") -> String {
        "{\"method\":\"io.locationd.Manage.\(method)\",\"parameters\":\(parameters)}"
    }

    /// Returns another user's replies to calls on one connection.
    private func replies(
        to calls: [String], of other: TestDaemon? = nil, through launcher: [String] = Attack.asNobody
    ) async throws -> [String] {
        let socket = (other ?? daemon).managementSocket
        let command = launcher + ["/usr/bin/python3", "-c", Program.script("Varlink/call"), socket] + calls
        let result = try await Program.run(command[0], Array(command.dropFirst()))
        #expect(result.status == 0, "\(result.errors)")
        return result.lines
    }

    @Test func eachMethodNeedsItsPermission() async throws {
        let defined = try InterfaceDescription(parsing: ManageInterface.definition).methods.map(\.name)
        let administrators = [
            "Simulate": #"{"latitude":1,"longitude":2}"#, "StopSimulation": "{}", "GetRememberedPlaces": "{}",
            "ForgetRememberedPlaces": "{}",
        ]
        #expect(Set(Self.methods.values.flatMap(\.keys)).union(administrators.keys) == Set(defined))
        let polkit = try FakePolkit(on: bus, .refused)
        for (action, methods) in Self.methods {
            let before = polkit.questions.count
            let replies = try await replies(to: methods.map { line($0.key, $0.value) })
            #expect(replies.count == methods.count)
            for reply in replies { #expect(reply.contains("io.locationd.Manage.NotAuthorized"), "\(reply)") }
            let asked = polkit.questions.dropFirst(before)
            #expect(asked.map(\.action) == Array(repeating: action, count: methods.count))
        }
        let before = polkit.questions.count
        for reply in try await replies(to: administrators.map { line($0.key, $0.value) }) {
            #expect(reply.contains("PermissionDenied"), "\(reply)")
        }
        #expect(polkit.questions.count == before)
        // Nothing was decided.
        #expect(try await daemon.call(ListApps.self, UserScope()).apps.allSatisfy { $0.uid != 65534 })
    }

    @Test func polkitIsAskedAboutTheProcess() async throws {
        let polkit = try FakePolkit(on: bus, .authorized)
        let apps = try await replies(to: [
            line("Grant", #"{"app":"exe:/usr/bin/foo","level":"always"}"#), line("ListApps"),
        ])
        #expect(apps.count == 2 && apps.allSatisfy { $0.contains("exe:/usr/bin/foo") && $0.contains("65534") })
        let questions = polkit.questions
        #expect(questions.map(\.action) == ["io.locationd.manage", "io.locationd.answer"])
        #expect(questions.allSatisfy { $0.uid == 65534 && $0.flags == 1 })
        let (pid, startTime) = (try #require(questions[0].pid), try #require(questions[0].startTime))
        #expect(pid > 1 && startTime > 0 && questions[1].pid == pid && questions[1].startTime == startTime)
        // A user has no more than their own.
        let others = try await replies(to: [line("ListApps", #"{"uid":0}"#)])
        #expect(others.allSatisfy { $0.contains("PermissionDenied") })
    }

    /// A program's own requests cause no dialog.
    @Test func aCallThatTheUserHasNotMadeAsksForNoPassword() async throws {
        let polkit = try FakePolkit(on: bus, .authenticationNeeded)
        let quiet = #"{"allowInteractiveAuthentication":false}"#
        let methods = [
            "ListApps", "GetServices", "ListSessions", "GetIndicator", "GetAccessLog", "ListPlaces", "MonitorPrompts",
        ]
        for reply in try await replies(to: methods.map { line($0, quiet) }) {
            #expect(reply.contains("authenticationNeeded"), "\(reply)")
        }
        #expect(polkit.questions.map(\.flags) == Array(repeating: 0, count: methods.count))
        _ = try await replies(to: [line("ListApps", #"{"allowInteractiveAuthentication":true}"#), line("ListApps")])
        #expect(polkit.questions.suffix(2).map(\.flags) == [1, 1])
    }

    /// Attack: any program of a user at the machine lists the receivers, and has the place of the machine, or learns when
    /// it goes under a roof.
    @Test func aFixedPlaceIsNotShown() async throws {
        let polkit = try FakePolkit(on: bus, .authorized, ["io.locationd.manage": .authenticationNeeded])
        let receivers = try await replies(to: [line("ListReceivers")])
        #expect(receivers.first?.contains("\"specification\":\"fixed\"") == true, "\(receivers)")
        #expect(receivers.first?.contains("8.65") == false)
        for key in ["fixes", "fixAge", "horizontalAccuracy", "satellitesUsed", "compass", "epochs", "searching"] {
            #expect(receivers.first?.contains(key) == false, "\(key): \(receivers)")
        }
        #expect(polkit.questions.map(\.flags) == [1, 0], "the second question is asked without a dialog")
        let details = try await replies(to: [line("ListReceivers", #"{"details":true}"#)])
        #expect(details.first?.contains("authenticationNeeded") == true, "\(details)")
        #expect(polkit.questions.map(\.flags) == [1, 0, 1, 1])
        daemon.letManage(group: Attack.nobodysGroup)
        let all = try await replies(to: [line("ListReceivers")])
        #expect(all.first?.contains("fixed:47.123456,8.654321") == true, "\(all)")
        #expect(polkit.questions.count == 4)
    }

    /// Attack: a program of a user at the machine, or a reader of the metrics, learns when the sky opens, or that the
    /// device moves. Worlds that differ in nothing but the sky, or a movement, look the same to both.
    @Test func theSkyDoesNotShow() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(
            receivers: ["serial:\(wire.path)@9600"], launcher: GeoClueFrontDaemon.launcher(on: bus))
        for path in [daemon.folder.path, daemon.runtime] { chmod(path, 0o755) }
        let polkit = try FakePolkit(on: bus, .authorized, ["io.locationd.manage": .refused])
        try await daemon.grantSelf()
        let updates = try await daemon.subscribe()
        var second = 0
        /// Writes epochs until the daemon reports the expected state of its receiver to its own user.
        func world(
            _ sentence: (Int) -> String, until isThere: (ReceiverSummary) -> Bool
        ) async throws -> (others: [String], metrics: [String]) {
            try await eventually("the world") {
                wire.write(sentence(second))
                second += 1
                return isThere(try await daemon.call(ListReceivers.self, .init()).receivers[0])
            }
            let own = ["ListReceivers", "ListSessions", "ListApps", "GetIndicator", "GetAccessLog"].map { line($0) }
            let others = try await replies(to: own, of: daemon)
            let metrics = try await daemon.ctl("metrics", "--apps").output.split(separator: "\n").map(String.init)
            return (others, metrics.filter { !$0.contains("uptime") })
        }
        let open = try await world({ Sentences.epoch($0) }) { $0.fixes ?? 0 > 3 }
        let standing = try await world({ Sentences.epoch($0, inPlaceOf: 0) }) { $0.fixes ?? 0 > 12 }
        #expect(open.others == standing.others && open.metrics == standing.metrics)
        let dark = try await world(
            { _ in Sentences.sentence("GPRMC,,V,,,,,,,,,,N") },
            until: { $0.condition == .noFix || $0.condition == .noSatellites })
        #expect(open.others == dark.others && open.others.count == 5)
        #expect(open.metrics == dark.metrics && !open.metrics.isEmpty)
        #expect(!polkit.questions.isEmpty)
        withExtendedLifetime(updates) {}
    }

    /// A user who may manage gets everything, without a dialog if polkit permits that.
    @Test func whoMayManageSeesTheFixes() async throws {
        let polkit = try FakePolkit(on: bus, .authorized)
        for parameters in ["{}", #"{"details":true}"#] {
            let receivers = try await replies(to: [line("ListReceivers", parameters)])
            #expect(receivers.first?.contains("\"fixes\":") == true, "\(receivers)")
        }
        let others = try await replies(to: [line("ListReceivers", #"{"forOthers":true}"#)])
        #expect(others.first?.contains("\"fixes\":") == false, "\(others)")
        #expect(polkit.questions.map(\.flags) == [1, 0, 1, 1, 1])
    }

    @Test(
        arguments: [
            (.refused, "refused"), (.authenticationNeeded, "authenticationNeeded"),
        ] as [(FakePolkit.Answer, String)])
    func theReasonIsInTheError(answer: FakePolkit.Answer, reason: String) async throws {
        let polkit = try FakePolkit(on: bus, answer)
        let replies = try await replies(to: [line("ListApps")])
        #expect(replies.first?.contains("\"reason\":\"\(reason)\"") == true, "\(replies)")
        #expect(polkit.questions.count == 1)
    }

    @Test func withoutPolkitOnlyTheGroupManages() async throws {
        let replies = try await replies(to: [line("ListApps")])
        #expect(replies.first?.contains("\"reason\":\"unavailable\"") == true, "\(replies)")
        let result = try await Program.run(
            Attack.asNobody[0],
            Attack.asNobody.dropFirst() + [
                Program.path("locationctl"), "apps", "--runtime-directory", daemon.runtime,
            ])
        #expect(result.status == 4)
        #expect(result.errors.contains("usermod -aG locationd"), "\(result.errors)")
        daemon.letManage(group: Attack.nobodysGroup)
        #expect(try await self.replies(to: [line("ListApps")]).first?.contains("\"apps\"") == true)
    }

    /// A supplementary group counts as the process's own does.
    @Test func asAMemberNobodyIsAsked() async throws {
        let polkit = try FakePolkit(on: bus, .refused)
        daemon.letManage(group: 4242)
        let member = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--groups=4241,4242,4243"]
        #expect(try await replies(to: [line("ListApps")], through: member).first?.contains("\"apps\"") == true)
        #expect(polkit.questions.isEmpty)
        let many = "--groups=" + (5000..<5100).map(String.init).joined(separator: ",") + ",4242"
        let crowd = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", many]
        #expect(try await replies(to: [line("ListApps")], through: crowd).first?.contains("\"apps\"") == true)
        #expect(polkit.questions.isEmpty)
    }

    /// Attack: an app in a sandbox with access to the socket's folder has the user asked.
    @Test(.enabled(if: Attack.hasBubblewrap)) func polkitIsNotAskedAboutASandbox() async throws {
        let polkit = try FakePolkit(on: bus, .authorized)
        let info = daemon.folder.path + "/info"
        try "[Application]\nname=org.gnome.Maps\n".write(toFile: info, atomically: false, encoding: .utf8)
        let sandbox =
            Attack.asNobody + [
                "/usr/bin/bwrap", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64",
                "/lib64", "--proc", "/proc", "--bind", daemon.folder.path, daemon.folder.path, "--ro-bind", info,
                "/.flatpak-info",
            ]
        let replies = try await replies(to: [line("ListApps")], through: sandbox)
        #expect(replies.first?.contains("PermissionDenied") == true, "\(replies)")
        #expect(polkit.questions.isEmpty)
    }

    /// Attack: polkit never answers, and callers ask without end. Members and root are served, and nothing is left of
    /// the callers when they have gone.
    @Test func aPolkitThatNeverAnswers() async throws {
        let polkit = try FakePolkit(on: bus, .none)
        let flood = try RunningProgram(
            Attack.asNobody[0],
            Attack.asNobody.dropFirst() + [
                "/usr/bin/python3", "-c", Program.script("Varlink/calls_that_wait"), daemon.managementSocket, "30",
            ])
        // Of the 30, 8 are asked about, and the others are refused.
        try await eventually("the refusals: \(flood.lines) \(flood.errors)") {
            flood.lines.filter { $0 == "LimitExceeded" }.count == 22
        }
        // Their start times are looked up one after the other.
        try await eventually("the questions") { polkit.questions.count == 8 }
        #expect(try await daemon.call(GetServices.self, UserScope()).machine)
        flood.signal(SIGKILL)
        _ = try await flood.end()
        polkit.change(to: .authorized)
        try await eventually("the end of their connections") {
            try await replies(to: [line("ListApps")]).first?.contains("\"apps\"") == true
        }
    }

    /// Attack: a process that is authorized leaves its connection to a child and ends. Its id may become another's.
    @Test func aProcessThatHasEndedIsNotAskedAbout() async throws {
        let polkit = try FakePolkit(on: bus, .authorized)
        let heir = try RunningProgram(
            Attack.asNobody[0],
            Attack.asNobody.dropFirst() + [
                "/usr/bin/python3", "-c", Program.script("Varlink/left_manager"), daemon.managementSocket,
            ])
        try await eventually("two answers: \(heir.lines) \(heir.errors)") { heir.lines.count == 2 }
        #expect(heir.lines[0].contains("\"apps\""))
        #expect(heir.lines[1].contains("NotAuthorized"), "\(heir.lines)")
        #expect(polkit.questions.count == 1)
    }

    /// Runs `locationctl apps` in a terminal, as another user and with a pkttyagent that records what becomes of it.
    private func agentLines(_ environment: [String: String] = [:]) async throws -> (agent: [String], status: Int32) {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o777)
        try folder.write(
            """
            #!/bin/sh
            echo "$@" >>"$AGENT_LOG"
            trap 'echo ended >>"$AGENT_LOG"; exit' TERM
            eval "exec $2>&-"
            while :; do sleep 0.1; done
            """, to: "pkttyagent")
        chmod(folder.path + "/pkttyagent", 0o755)
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let log = folder.path + "/log"
        let own = ["PATH": "\(folder.path):/usr/bin:/bin", "AGENT_LOG": log]
        let program = try RunningProgram(
            Attack.asNobody[0],
            Attack.asNobody.dropFirst() + [
                "/usr/bin/env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY",
            ] + environment.map { "\($0)=\($1)" } + [
                Program.path("locationctl"), "apps", "--runtime-directory", daemon.runtime,
            ], environment: own, input: terminal.slave)
        let status = try await program.end().status
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return (text.split(separator: "\n").map(String.init), status)
    }

    /// In a terminal without a graphical session no other agent asks for the password.
    @Test func locationctlStartsTheTerminalsAgent() async throws {
        let polkit = try FakePolkit(on: bus, .authorized)
        #expect(try await agentLines() == (["--notify-fd 3 --fallback", "ended"], 0))
        #expect(try await agentLines(["DISPLAY": ":0"]) == ([], 0))
        #expect(polkit.questions.count >= 2)
        daemon.letManage(group: Attack.nobodysGroup)
        #expect(try await agentLines() == ([], 0))
    }
}

/// The questions to the real polkit, with the actions of the package and a rule of an administrator.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: Attack.isRoot && PrivateBus.isInstalled && RealPolkit.isInstalled, "needs root and polkitd"))
struct RealPolkitTests {
    private static let rule = """
        polkit.addRule(function(action, subject) {
            if (action.id == "io.locationd.answer" && subject.user == "nobody") return polkit.Result.YES;
        });
        """

    @Test func theActionsAndRulesCount() async throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        let bus = try await PrivateBus(in: folder)
        let polkit = try await RealPolkit.start(
            on: bus, rules: Self.rule, actions: Project.folder + "/data/polkit/io.locationd.policy")
        let daemon = try await TestDaemon(receivers: [], launcher: GeoClueFrontDaemon.launcher(on: bus))
        for path in [daemon.folder.path, daemon.runtime] { chmod(path, 0o755) }
        let calls = [
            #"{"method":"io.locationd.Manage.ListApps","parameters":{}}"#,
            #"{"method":"io.locationd.Manage.Deny","parameters":{"app":"exe:/usr/bin/foo"}}"#,
        ]
        let result = try await Program.run(
            Attack.asNobody[0],
            Attack.asNobody.dropFirst() + [
                "/usr/bin/python3", "-c", Program.script("Varlink/call"), daemon.managementSocket,
            ] + calls)
        #expect(result.lines.count == 2, "\(result.errors) \(polkit.errors)")
        #expect(result.lines.first?.contains("\"apps\"") == true, "\(result.lines) \(daemon.log)")
        // The user nobody has no session, and no program that could ask for a password.
        #expect(result.lines.last?.contains("authenticationNeeded") == true, "\(result.lines) \(daemon.log)")
    }
}
