import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// `locationctl receivers --discover` and `--accept` with the real daemon and the real Avahi, in a network of namespaces.
@Suite(
    .enabled(if: LocalNetwork.isPossible, "needs avahi-daemon, avahi-utils, and namespaces with a virtual Ethernet"),
    .timeLimit(.minutes(15)))
struct AcceptedSenderTests {
    /// A daemon, and a systemctl that records its calls.
    private final class Scene: Sendable {
        static let unit = "locationd-nmea-receive@my-phone.socket"

        let network: LocalNetwork
        let daemon: TestDaemon
        let root: TemporaryFolder

        /// - Parameter daemon: The daemon, which may belong to another network, or `nil` for a new one.
        init(_ daemon: TestDaemon? = nil) async throws {
            network = try await LocalNetwork()
            self.daemon =
                if let daemon { daemon } else { try await TestDaemon(receivers: [], configuration: "") }
            root = try TemporaryFolder()
            let systemctl = try root.write(
                """
                #!/bin/sh
                echo "$@" >>\(root.path)/asked
                [ "$1" = enable ] && [ -e \(root.path)/held ] && cat \(root.path)/held
                [ "$1" = enable ] && [ -e \(root.path)/broken ] && { echo "Failed to enable unit" >&2; exit 1; }
                [ "$1" != is-enabled ]
                """, to: "systemctl")
            chmod(systemctl, 0o755)
        }

        var path: String { daemon.folder.path }
        var asked: String { (try? String(contentsOfFile: root.path + "/asked", encoding: .utf8)) ?? "" }
        /// The file of the instance, or `nil` if there is none.
        var instance: String? { try? String(contentsOfFile: path + "/nmea/my-phone.toml", encoding: .utf8) }
        /// The file that names the receiver, or `nil` if there is none.
        var receiver: String? {
            try? String(contentsOfFile: path + "/conf.d/20-nmea-my-phone.toml", encoding: .utf8)
        }
        var isUntouched: Bool {
            !FileManager.default.fileExists(atPath: path + "/nmea")
                && !FileManager.default.fileExists(atPath: path + "/conf.d")
        }

        func start(_ options: [String], input: CInt? = nil) throws -> RunningProgram {
            let command = [
                Program.path("locationctl"), "receivers", "--runtime-directory", daemon.runtime, "--config-directory",
                path, "--system-root", root.path, "--nmea-program", Program.path("locationd-nmea"),
            ]
            let environment = ["PATH": root.path + ":/usr/sbin:/usr/bin:/sbin:/bin"]
            return try network.start(on: .machine, command + options, environment: environment, input: input)
        }

        func run(_ options: String...) async throws -> Program.Result { try await start(options).end() }

        func receivers() async throws -> [String] {
            try await daemon.call(ListReceivers.self, .init()).receivers.map(\.specification)
        }
    }

    private static let source = "socket:/run/locationd-nmea/my-phone"

    /// Once accepted, it is known by its host and port: whatever else is announced by that name, host or port.
    @Test func anAcceptedSenderIsPinnedWhateverIsAnnouncedThen() async throws {
        let scene = try await Scene()
        let phone = try await scene.network.announce("My Phone", port: 10110)
        let list = try await scene.run("--discover")
        #expect(list.status == 0 && list.output.contains("neighbour.local  192.0.2.2"), "\(list.output)\(list.errors)")
        #expect(!list.output.contains("ACCEPTED") && scene.isUntouched && scene.asked.isEmpty)

        let accepted = try await scene.run("--accept", "My Phone", "--yes")
        #expect(accepted.status == 0, "\(accepted.output)\(accepted.errors)")
        let pinned = """
            # By `locationctl receivers --accept`: "My Phone", which neighbour.local announced.
            from = "tcp://192.0.2.2:10110"

            """
        #expect(scene.instance == pinned)
        #expect(scene.receiver?.hasSuffix("[[receiver]]\nsource = \"\(Self.source)\"\n") == true)
        #expect(scene.asked == "is-enabled --quiet \(Scene.unit)\nenable --now \(Scene.unit)\n")
        #expect(try await scene.receivers() == [Self.source])
        let json = try await scene.run("--discover", "--json")
        #expect(
            json.output.contains("\"address\":\"192.0.2.2\",\"port\":10110,") && json.output.contains("\"my-phone\""))
        let again = try await scene.run("--accept", "My Phone", "--yes")
        #expect(again.status == 0 && scene.instance == pinned, "\(again.output)\(again.errors)")

        // Attack: a neighbour announces the same name.
        let forgery = LocalNetwork.Forgery(name: "My Phone", address: "192.0.2.66", port: 6666)
        let attacker = try await scene.network.forge([forgery])
        try await eventually("the second announcement") {
            try await scene.run("--discover").output.contains("attacker.local")
        }
        let ambiguous = try await scene.run("--accept", "My Phone", "--yes")
        #expect(
            ambiguous.status == 1 && ambiguous.errors.contains("2 hosts announce \"My Phone\""), "\(ambiguous.errors)")
        #expect(ambiguous.errors.contains("attacker.local, 192.0.2.66, port 6666, TCP"), "\(ambiguous.errors)")

        // Attack: the neighbour alone announces it, in a network without the phone.
        let other = try await Scene(scene.daemon)
        let alone = try await other.network.forge([forgery])
        try await eventually("the announcement") { try await other.run("--discover").output.contains("attacker.local") }
        let moved = try await other.run("--accept", "My Phone", "--yes")
        #expect(
            moved.status == 1
                && moved.errors.contains("my-phone.toml names tcp://192.0.2.2:10110, not tcp://192.0.2.66:6666"),
            "\(moved.errors)")
        #expect(scene.instance == pinned && other.asked.isEmpty)
        #expect(try await scene.receivers() == [Self.source])
        withExtendedLifetime((attacker, alone, phone)) {}
    }

    /// Attack: a neighbour announces the name with so many hosts that the phone's own is not looked at.
    @Test func aNameWithMoreHostsThanAreLookedAtIsRefused() async throws {
        let scene = try await Scene()
        let attacker = try await scene.network.forge(
            [.init(name: "My Phone", host: "attacker.local", address: "192.0.2.66")]
                + (0..<300).map { .init(name: "My Phone", host: "h\($0).local", address: "127.0.0.1") })
        var refused = try await scene.run("--accept", "My Phone", "--yes")
        try await eventually("a refusal of all of them: \(refused.errors)") {
            refused = try await scene.run("--accept", "My Phone", "--yes")
            return refused.errors.contains("not every announcement of that name")
        }
        #expect(refused.status == 1 && scene.isUntouched && scene.asked.isEmpty)
        withExtendedLifetime(attacker) {}
    }

    @Test func theHostIsNamedIfTheResolverKnowsItByThatAddress() async throws {
        for (address, from) in [("192.0.2.2", "tcp://neighbour.local:10110"), ("192.0.2.66", "tcp://192.0.2.2:10110")] {
            let scene = try await Scene()
            try "\(address) neighbour.local\n".write(
                toFile: scene.network.folder.path + "/hosts", atomically: false, encoding: .utf8)
            let phone = try await scene.network.announce("My Phone", port: 10110)
            let accepted = try await scene.run("--accept", "My Phone", "--yes")
            #expect(accepted.status == 0, "\(accepted.output)\(accepted.errors)")
            #expect(scene.instance?.hasSuffix("\nfrom = \"\(from)\"\n") == true, "\(scene.instance ?? "")")
            // It is the same one, also when the resolver does not answer.
            try "".write(toFile: scene.network.folder.path + "/hosts", atomically: false, encoding: .utf8)
            let again = try await scene.run("--accept", "My Phone", "--yes")
            #expect(again.status == 0 && again.output.contains("locationd reads \(from),"), "\(again.errors)")
            #expect(scene.instance?.contains(from) == true)
            withExtendedLifetime(phone) {}
        }
    }

    @Test func itAsksAndDatagramsAreAllowedFromThatAddress() async throws {
        let scene = try await Scene()
        let boat = try await scene.network.announce("My Phone", "_nmea-0183._udp", port: 2000)
        let input = try ProgramPipe()
        let program = try scene.start(["--accept", "My Phone"], input: input.readEnd.fileDescriptor)
        try await eventually("the question: \(program.output)\(program.errors)") { program.output.contains("[y/N]") }
        for text in ["My Phone", "neighbour.local", "192.0.2.2", "2000 (UDP)", "udp://0.0.0.0:2000 from 192.0.2.2"] {
            #expect(program.output.contains(text), "\(program.output)")
        }
        #expect(scene.isUntouched)
        try input.write("maybe\nn\n")
        #expect(program.waitUntilEnd() == 1)
        #expect(program.output.hasSuffix("Nothing was changed.\n") && scene.isUntouched, "\(program.output)")
        let silent = try await scene.run("--accept", "My Phone")
        #expect(silent.status == 1 && silent.errors.contains("--yes") && scene.isUntouched, "\(silent.errors)")

        let answered = try scene.start(["--accept", "My Phone"], input: input.readEnd.fileDescriptor)
        try input.write("y\n")
        #expect(answered.waitUntilEnd() == 0, "\(answered.output)\(answered.errors)")
        #expect(scene.instance?.hasSuffix("from = \"udp://0.0.0.0:2000\"\nallow = [\"192.0.2.2\"]\n") == true)
        let check = try await Program.run(
            Program.path("locationd-nmea"), ["receive", "--check", "--config", scene.path + "/nmea/my-phone.toml"])
        #expect(check.status == 0, "\(check.errors)")
        withExtendedLifetime(boat) {}
    }

    @Test func aFailureHalfWayLeavesNothingBehind() async throws {
        let scene = try await Scene()
        let phone = try await scene.network.announce("My Phone", port: 10110)
        try scene.root.write("", to: "broken")
        let broken = try await scene.run("--accept", "My Phone", "--yes")
        #expect(broken.status == 1 && broken.errors.contains("failed: Failed to enable unit"), "\(broken.errors)")
        #expect(scene.isUntouched && scene.asked.hasSuffix("disable --now \(Scene.unit)\n"), "\(scene.asked)")
        try scene.root.remove("broken")
        try await scene.daemon.kill()
        let unreachable = try await scene.run("--accept", "My Phone", "--yes")
        #expect(unreachable.status == 3 && unreachable.errors.contains("locationd is not running"))
        #expect(!unreachable.errors.contains("could not be undone"), "\(unreachable.errors)")
        #expect(scene.isUntouched && scene.asked.hasSuffix("disable --now \(Scene.unit)\n"), "\(scene.asked)")
        withExtendedLifetime(phone) {}
    }

    @Test func anInterruptLeavesNothingBehind() async throws {
        let scene = try await Scene()
        let phone = try await scene.network.announce("My Phone", port: 10110)
        let held = scene.root.path + "/held"
        mkfifo(held, 0o600)
        let program = try scene.start(["--accept", "My Phone", "--yes"])
        try await eventually("systemctl: \(program.errors)") { scene.asked.contains("enable --now") }
        #expect(scene.instance != nil)
        program.signal(SIGINT)
        // systemctl ends.
        try FileHandle(forWritingTo: URL(filePath: held)).close()
        #expect(program.waitUntilEnd() == 1)
        #expect(program.errors.contains("interrupted: what was done is undone"), "\(program.errors)")
        #expect(scene.isUntouched && scene.asked.hasSuffix("disable --now \(Scene.unit)\n"), "\(scene.asked)")
        try await eventually("the configuration before") { try await scene.receivers().isEmpty }
        withExtendedLifetime(phone) {}
    }

    @Test func filesOfOthersStayAsTheyAre() async throws {
        let scene = try await Scene()
        let phone = try await scene.network.announce("My Phone", port: 10110)
        let files = FileManager.default
        for folder in ["nmea", "conf.d"] {
            try files.createDirectory(atPath: "\(scene.path)/\(folder)", withIntermediateDirectories: false)
        }
        for (name, text, reason) in [
            ("nmea/my-phone.toml", "from = \"tcp://10.0.0.1:1\"\n", "names tcp://10.0.0.1:1, not"),
            ("nmea/my-phone.toml", "log-level = \"info\"\n", "names something else, not"),
            ("conf.d/20-nmea-my-phone.toml", "discover = true\n", "was not written by this command"),
        ] {
            try scene.daemon.folder.write(text, to: name)
            let result = try await scene.run("--accept", "My Phone", "--yes")
            #expect(result.status == 1 && result.errors.contains(reason), "\(result.errors)")
            #expect(try String(contentsOfFile: "\(scene.path)/\(name)", encoding: .utf8) == text)
            try scene.daemon.folder.remove(name)
        }
        try scene.daemon.folder.write("from = \"tcp://192.0.2.2\"\n", to: "nmea/boat.toml")
        let known = try await scene.run("--accept", "My Phone", "--yes")
        #expect(known.status == 0 && known.output.contains("nmea/boat.toml names it already"), "\(known.output)")
        #expect(scene.instance == nil && scene.receiver == nil && scene.asked.isEmpty)
        withExtendedLifetime(phone) {}
    }

    @Test func whatIsMissingIsSaidWithTheRemedy() async throws {
        let scene = try await Scene()
        let unknown = try await scene.run("--accept", "Phone", "--yes")
        #expect(
            unknown.status == 1 && unknown.errors.contains("nothing in the local network is announced as \"Phone\""))
        let package = try await scene.daemon.ctl("receivers", "--discover", "--nmea-program", "/nowhere")
        #expect(package.status == 1 && package.errors.contains("sudo apt install locationd-nmea"), "\(package.errors)")
        let folder = try await scene.daemon.ctl("receivers", "--accept", "x", "--config-directory", "/proc/self")
        #expect(folder.status == 1 && folder.errors.contains("cannot write"), "\(folder.errors)")
        for options in [["--discover", "--follow"], ["--yes"], ["--accept", "x", "--json"]] {
            let usage = try await scene.start(options).end()
            #expect(usage.status == 2, "\(options): \(usage.errors)")
        }
        #expect(scene.isUntouched && scene.asked.isEmpty)
    }
}
