import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// A desktop shell as GeoClue's agent, and its switch for location.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct GeoClueAgentTests {
    private let front: GeoClueFrontDaemon

    init() async throws {
        front = try await GeoClueFrontDaemon()
        try await front.grantSelf()
    }

    /// A shell, which answers calls of its agent object with its level, or never.
    private final class Shell {
        let bus: BusConnection
        var level: UInt32 {
            didSet {
                bus.emit(
                    GeoClue.agent, GeoClue.properties, "PropertiesChanged",
                    [.text(GeoClue.agentInterface), .dictionary(["MaxAccuracyLevel": .number(level)]), .list([])])
            }
        }

        init(_ bus: BusConnection, level: UInt32, answers: Bool = true) {
            self.bus = bus
            self.level = level
            bus.respond = { [weak self] call in
                guard let self, answers, call.path == GeoClue.agent else { return nil }
                switch call.member {
                case "Get": return [.variant(.number(self.level))]
                case "GetAll": return [.dictionary(["MaxAccuracyLevel": .number(self.level)])]
                case "AuthorizeApp": return [.flag(true), .number(self.level)]
                default: return nil
                }
            }
        }

        func register(_ id: String) async throws {
            try await bus.call(
                to: GeoClue.name, GeoClue.manager, GeoClue.managerInterface, "AddAgent", [.text(id)])
        }
    }

    @Test(arguments: ["gnome-shell", "sm.puri.Phosh", "geoclue-demo-agent", "lipstick"])
    func aShellOfTheListIsAccepted(id: String) async throws {
        let shell = Shell(try front.bus.connect(), level: 8)
        try await shell.register(id)
        let app = try await front.app()
        #expect(try await app.start() == nil)
        _ = try await front.location(for: app)
    }

    @Test func anotherIdIsRefused() async throws {
        let shell = Shell(try front.bus.connect(), level: 8)
        await #expect {
            try await shell.register("org.example.NotAShell")
        } throws: {
            ($0 as? BusError)?.shortName == "AccessDenied"
        }
    }

    /// The desktop's switch: off, the user's apps get nothing; on again, they go on by themselves.
    @Test func levelZeroTurnsServicesOffForItsUser() async throws {
        let app = try await front.app()
        #expect(try await app.start() == nil)
        _ = try await front.location(for: app)
        let shell = Shell(try front.bus.connect(), level: 0)
        try await shell.register("gnome-shell")
        try await eventually("Active to be false") {
            try shell.bus.receive()
            return try await app.get("Active") == .flag(false)
        }
        #expect(try await app.start() == "AccessDenied")
        let another = try await front.app()
        #expect(try await another.start() == "AccessDenied")
        // For all fronts.
        let status = try await front.daemon.ctl("get")
        #expect(status.status == 4, "\(status.output)\(status.errors)")
        shell.level = 8
        try await eventually("Active to be true") {
            try shell.bus.receive()
            return try await app.get("Active") == .flag(true)
        }
        _ = try await front.location(for: app)
    }

    /// Attack: an app gets the location after the user has logged out, or while the daemon has started again and the
    /// shell has not: a switch that the shell has turned off stays off until the shell turns it on.
    @Test func offStaysOffWithoutTheShellAndOverARestart() async throws {
        var shell: Shell? = Shell(try front.bus.connect(), level: 0)
        try await shell?.register("gnome-shell")
        try await eventually("services to be off") {
            try shell?.bus.receive()
            return try await front.daemon.ctl("get", "--timeout", "1").status == 4
        }
        shell = nil
        for signal in [SIGKILL, SIGTERM] {
            front.daemon.program.signal(signal)
            _ = try await front.daemon.program.end()
            try await front.daemon.start()
            let status = try await front.daemon.ctl("get", "--timeout", "1")
            #expect(status.status == 4, "\(status.output)\(status.errors)")
        }
        let services = try await front.daemon.call(GetServices.self, UserScope())
        #expect(services.desktop == false && !services.user)
        // The shell says so.
        let again = Shell(try front.bus.connect(), level: 8)
        try await again.register("gnome-shell")
        try await eventually("services to be on") {
            try again.bus.receive()
            return try await front.daemon.call(GetServices.self, UserScope()).user
        }
    }

    /// A desktop that is gone cannot turn its switch on, but the user can.
    @Test func theUserTurnsOnWhatADesktopHasLeftOff() async throws {
        var shell: Shell? = Shell(try front.bus.connect(), level: 0)
        try await shell?.register("gnome-shell")
        try await eventually("services to be off") {
            try shell?.bus.receive()
            return try await !front.daemon.call(GetServices.self, UserScope()).user
        }
        #expect(try await front.daemon.call(SetServices.self, .init(enabled: true)).desktop == false, "it is there")
        shell = nil
        try await eventually("services to be on") {
            try await front.daemon.call(SetServices.self, .init(enabled: true)).user
        }
    }

    /// A level of a city or a country is one of reduced accuracy, through every front.
    @Test(arguments: [1, 4] as [UInt32]) func aLowerLevelReducesEveryApp(level: UInt32) async throws {
        let shell = Shell(try front.bus.connect(), level: level)
        try await shell.register("gnome-shell")
        try await eventually("reduced accuracy") {
            try shell.bus.receive()
            return try await front.daemon.call(ListApps.self, UserScope()).apps.contains { $0.accuracy == .reduced }
        }
        let app = try await front.app()
        #expect(try await app.start() == nil)
        let location = try await front.location(for: app)
        #expect(location.real("Accuracy") ?? 0 > 5000, "\(location)")
    }

    /// Attack: an agent that never answers keeps its user's apps, or everybody's, waiting.
    @Test func anAgentThatHangs() async throws {
        let shell = Shell(try front.bus.connect(), level: 8, answers: false)
        try await shell.register("gnome-shell")
        let app = try await front.app()
        #expect(try await app.start() == nil)
        _ = try await front.location(for: app)
    }
}
