import Foundation
import TestSupport

/// An ``Attack`` on a daemon that has GeoClue's name on a system bus of its own.
final class GeoClueAttack {
    let attack: Attack
    private let bus: PrivateBus
    private let witness: AttackWitness
    /// The folder of the Python modules that talk to a bus.
    private static let modules = URL(filePath: #filePath).appending(path: "../../../Clients").standardized.path(
        percentEncoded: false)

    init(on bus: PrivateBus? = nil) async throws {
        let bus = if let bus { bus } else { try await PrivateBus.system() }
        self.bus = bus
        attack = try await Attack(
            launcher: GeoClueFrontDaemon.launcher(on: bus), configuration: GeoClueFrontDaemon.configuration)
        for module in ["sdbus.py", "geoclue_calls.py"] {
            try FileManager.default.copyItem(
                atPath: Self.modules + "/" + module, toPath: attack.folder.path + "/" + module)
        }
        try attack.folder.write(Self.module(address: bus.address), to: "geoclue_attack.py")
        witness = try await AttackWitness(of: attack)
        try await bus.waitForOwner(of: GeoClue.name)
    }

    /// Runs a script to its end, and returns the lines that it printed.
    func run(_ script: String, as program: String, through launcher: [String] = []) async throws -> [String] {
        try await attack.run("from geoclue_attack import *\n" + script, as: program, through: launcher)
    }

    /// What the scripts share. An app is given one of: `fix`, `nothing`, or the name of an error.
    private static func module(address: String) -> String {
        """
        from attack import *
        from geoclue_calls import *
        from sdbus import *
        from witness import fixes_go_by
        ADDRESS = "\(address)"

        # What an app is given while another app receives fixes.
        def outcome(desktop_id="org.example.App", client=None):
            try:
                client = client or Client(ADDRESS, desktop_id)
                client.call("Start")
                fixes_go_by()
                client.get("Active")
            except Refused as error:
                return error.args[0].split(".")[-1]
            return "fix" if any(signal.member == "LocationUpdated" for signal in client.bus.signals) else "nothing"

        # The same for a process that has inherited a connection to the bus, which sd-bus does not let it use.
        def outcome_of(descriptor):
            import select
            def arrived():
                data = b""
                while select.select([descriptor], [], [], 0)[0] and (part := os.read(descriptor, 65536)):
                    data += part
                return data
            # What was on its way before: the bus passes on what the daemon sends in its order.
            fixes_go_by(1)
            Bus(ADDRESS).call(NAME, MANAGER, "org.freedesktop.DBus.Peer", "Ping")
            arrived()
            fixes_go_by()
            return "fix" if b"LocationUpdated" in arrived() else "nothing"
        """
    }
}
