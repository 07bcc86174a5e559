internal import ArgumentParser
internal import Glibc
internal import LocationProtocol
internal import LocationctlSupport

struct EnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Turns location services on.", discussion: SwitchArguments.explanation)

    @OptionGroup var arguments: SwitchArguments
    @ParentCommand var parent: Locationctl

    func run() async throws { try await arguments.run(enabled: true, parent.target) }
}

struct DisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Turns location services off: no app gets the location.",
        discussion: SwitchArguments.explanation)

    @OptionGroup var arguments: SwitchArguments
    @ParentCommand var parent: Locationctl

    func run() async throws { try await arguments.run(enabled: false, parent.target) }
}

/// The arguments of enable and disable.
struct SwitchArguments: ParsableArguments {
    static let explanation =
        "Run by root, this is the switch for the whole machine. Otherwise, or with --uid, it is the switch of one user."

    @Option(help: ArgumentHelp("The switch of this user; only root may name another user.", valueName: "uid"))
    var uid: Int?
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target

    func run(enabled: Bool, _ parent: Target) async throws {
        let isForMachine = uid == nil && geteuid() == 0
        let daemon = DaemonConnection(target, parent)
        try await daemon.make(.switchServices(isOn: enabled, uid: uid, machine: isForMachine))
        let reply = try await daemon.call(GetServices.self, UserScope(uid: uid))
        try output.write(reply) {
            isForMachine
                ? "Location services are \(reply.machine ? "on" : "off") for the whole machine.\n"
                : "Location services are \(reply.user ? "on for this user" : reply.text).\n"
        }
    }
}
