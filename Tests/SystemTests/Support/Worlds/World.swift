import Devices
import EventLoopSupport
import Foundation
import GPSDFront
import LocationCore
import LocationModel
import LocationProtocol
import LocationService
import Logging
import NIOCore
import Receivers
import ServiceSupport
import TestSupport
import Varlink

/// The whole service in virtual time, on a machine with one receiver, and the programs that read from it.
final class World {
    /// The secret of each world: two with one secret have the same cells.
    private static let secret = [UInt8](repeating: 7, count: 32)
    static let interpreter =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/usr/bin/python3"))
        .map { "/usr/bin/" + $0 } ?? "/usr/bin/python3"

    let folder: TemporaryFolder
    let clock: VirtualClock
    /// A copy of the interpreter, which is another app.
    let navigator: String
    private let listener: Listener
    /// The connection to the daemon, or -1.
    private var connection: CInt = -1
    private let loop: PollingLoop
    private let daemon: Daemon
    private let polkit: FakePolkit
    let bus: PrivateBus
    private var readers: [WorldReader] = []
    /// Readers as root, of the receivers and of the sessions.
    private let administrators: (WorldReader, WorldReader)

    /// - Parameters:
    ///   - remembersPlaces: A Boolean value indicating whether places are remembered by the networks around them.
    ///   - former: The folder of a world that has ended, whose files about networks are those of this one.
    ///   - managers: polkit's answer about users who want to manage.
    init(
        start: Timestamp, remembersPlaces: Bool = false, former: TemporaryFolder? = nil,
        managers: FakePolkit.Answer = .refused
    ) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        clock = VirtualClock(start: start)
        for path in ["run", "run/manage", "state"] {
            mkdir(folder.path + "/" + path, path == "state" ? 0o700 : 0o755)
        }
        chmod(folder.path, 0o755)
        let secret = folder.path + "/state/secret"
        try Data(Self.secret).write(to: URL(filePath: secret))
        chmod(secret, 0o600)
        for name in try former.map({ try Self.placeFiles(in: $0) }) ?? [] {
            let state = "/state/" + name
            try FileManager.default.copyItem(atPath: (former?.path ?? "") + state, toPath: folder.path + state)
        }
        bus = try await PrivateBus(rules: PrivateBus.everything + ["<allow user=\"*\"/>"], in: folder)
        for module in ["sdbus.py", "geoclue_calls.py"] {
            let copy = folder.path + "/" + module
            try FileManager.default.copyItem(atPath: Project.folder + "/Tests/Clients/" + module, toPath: copy)
            chmod(copy, 0o644)
        }
        navigator = folder.path + "/navigator"
        try FileManager.default.copyItem(atPath: Self.interpreter, toPath: navigator)
        chmod(navigator, 0o755)
        polkit = try FakePolkit(on: bus, .authorized, ["io.locationd.manage": managers])
        listener = try Listener(folder.path + "/receiver")
        loop = try PollingLoop { [clock] in clock.uptime }
        var settings = ServiceSettings(
            runtimeDirectory: folder.path + "/run", stateDirectory: folder.path + "/state",
            receivers: [.init(source: .socket(path: folder.path + "/receiver"), name: "receiver")], limits: Limits(),
            version: "1")
        settings.inUse = .connected
        settings.surroundings.places = remembersPlaces
        daemon = try Daemon.make(
            settings, fronts: FrontSettings(gpsd: GPSDSettings(listen: [], socket: true), geoclue: true),
            busAddress: bus.address, on: loop, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            clock: { [clock] in clock.now })
        try await daemon.start(inherited: ListenDescriptors(environment: [:], processID: getpid())) {}.get()
        try await bus.waitForOwner(of: GeoClue.name)
        let manage = folder.path + "/run/manage/io.locationd.Manage"
        func administrator(_ method: String) async throws -> WorldReader {
            try await WorldReader(.init(calls: [.init(manage, [Self.manage(method)])]), as: nil)
        }
        administrators = (try await administrator("ListReceivers"), try await administrator("ListSessions"))
    }

    /// The names of the files with places and networks.
    static func placeFiles(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state").filter {
            $0.hasPrefix("surroundings-")
        }
    }

    static func manage(_ method: String, _ parameters: String = "{}", more: Bool = false) -> String {
        #"{"method":"io.locationd.Manage.\#(method)","parameters":\#(parameters),"more":\#(more)}"#
    }

    static func location(_ method: String, _ parameters: String = "{}", more: Bool = false) -> String {
        #"{"method":"io.locationd.Location.\#(method)","parameters":\#(parameters),"more":\#(more)}"#
    }

    var publicSocket: String { folder.path + "/run/io.locationd.Location" }
    var geoclue: WorldReader.GeoClue { .init(address: bus.address, modules: folder.path) }
    var managementSocket: String { folder.path + "/run/manage/io.locationd.Manage" }

    /// Has root decide about the interpreter, or a copy of it, as the app of a user.
    func grant(_ accuracy: String, uid: Int, app: String = World.interpreter) async throws {
        let call = Self.manage(
            "Grant",
            #"{"app":"exe:\#(app)","uid":\#(uid),"level":"always","accuracy":"\#(accuracy)"}"#)
        let granter = try await WorldReader(.init(calls: [.init(managementSocket, [call])]), as: nil)
        _ = try await granter.read()
    }

    /// Passes a second. The sentences come 200 ms after its beginning, if the daemon reads the receiver. Returns
    /// whether it does.
    @discardableResult func pass(_ sentences: String) async throws -> Bool {
        let isSent = try await begin(sentences)
        try await end(isSent)
        return isSent
    }

    /// Passes a second in two worlds at the same time. Returns in which of them the daemon reads the receiver.
    @discardableResult static func pass(
        _ worlds: (World, World), _ sentences: (String, String)
    ) async throws -> (Bool, Bool) {
        let areSent = (try await worlds.0.begin(sentences.0), try await worlds.1.begin(sentences.1))
        try await worlds.0.end(areSent.0)
        try await worlds.1.end(areSent.1)
        return areSent
    }

    private func begin(_ sentences: String) async throws -> Bool {
        try await advance(milliseconds: 200)
        var isSent = false
        try await eventually("the receiver's connection", interval: .milliseconds(2)) {
            let receivers = try await administrators.0.read()[0]
            if receivers.contains(#""state":"connecting""#) { return false }
            acceptWaiting()
            if [#""state":"resting""#, #""state":"stopped""#].contains(where: receivers.contains) { return true }
            isSent = true
            _ = sentences.withCString { send(connection, $0, strlen($0), CInt(MSG_NOSIGNAL)) }
            return true
        }
        return isSent
    }

    private func end(_ isSent: Bool) async throws {
        try await eventually("the receiver's sentences", interval: .milliseconds(1)) {
            // Until the daemon has received everything: unix(7).
            var unread: CInt = 0
            return !isSent || ioctl(connection, UInt(TIOCOUTQ), &unread) != 0 || unread == 0
        }
        // The loop decodes what it receives in the same turn.
        try await loop.submit {}.get()
        try await advance(milliseconds: 800)
    }

    /// Accepts the daemon's newest connection.
    private func acceptWaiting() {
        while listener.hasPendingConnection {
            if connection >= 0 { close(connection) }
            connection = accept(listener.descriptor, nil, nil)
        }
    }

    private func advance(milliseconds: Int64) async throws {
        clock.advance(milliseconds: milliseconds)
        // What the timers have begun runs in the next turn.
        for _ in 0..<3 { try await loop.submit {}.get() }
    }

    /// Waits until that many streams are open, by method. The time stands still meanwhile: what a reader receives
    /// depends on the time when its streams were opened.
    func waitForSessions(_ counts: [String: Int]) async throws {
        try await eventually("the sessions \(counts)") {
            let reply = try await administrators.1.read()[0]
            let open = Dictionary(
                reply.matches(of: /"method": ?"([A-Za-z]+)"/).map { (String($0.1), 1) }, uniquingKeysWith: +)
            return counts.allSatisfy { open[$0.key] == $0.value }
        }
    }

    func metrics() async throws -> String {
        let result = try await Program.run(
            Program.path("locationctl"), ["metrics", "--apps", "--runtime-directory", folder.path + "/run"])
        let lines = result.output.replacing(folder.path, with: "FOLDER").split(separator: "\n")
        return lines.filter { !$0.contains("uptime") }.joined(separator: "\n")
    }

    func stop() async throws {
        if connection >= 0 { close(connection) }
        try await daemon.stop().get()
        await withCheckedContinuation { done in
            loop.shutdownGracefully(queue: .global()) { _ in done.resume() }
        }
    }

    /// What differs between two worlds without any meaning.
    var hidden: [[String]] {
        [
            [NSRegularExpression.escapedPattern(for: folder.path), "FOLDER"],
            [#""(pid|revision|id)":[0-9]+"#, #""number":0"#],
            // gpsd's replies have the time of the reply, by the machine's real clock.
            [#""(time|activated)":"[^"]*""#, #""time":"""#], [#""uptime":[0-9.e+-]+"#, #""uptime":0"#],
        ]
    }
}
