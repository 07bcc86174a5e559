internal import ArgumentParser
internal import LocationctlSupport
internal import MachineDoctor

struct DoctorCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Finds problems and says how to fix them.",
        discussion: """
            Checks the sockets and units, the configuration, the receivers and their ports (including conflicts with \
            gpsd and ModemManager), what keeps a HAT on a Raspberry Pi silent, the packages for clients of gpsd and \
            GeoClue, the clock, your groups and login, and the decision about locationctl itself. The most important \
            findings come first; the last sentence says what to do first. As root it checks more. The exit status is 1 \
            if there is a problem.
            """)

    @OptionGroup var output: OutputOption
    @Option(help: .hidden) var systemRoot: String?
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run(with daemon: DaemonConnection) async throws {
        // A program reads JSON, and the lines from a pipe.
        if !output.json, Terminal.isOutputTerminal { Translation.begin(on: .current) }
        let facts = await Survey(daemon: daemon, root: SystemRoot(systemRoot ?? "")).facts()
        let findings = Examination.findings(in: facts)
        try output.write(findings) {
            let medium = OutputMedium.current()
            return findings.text(on: medium) + "\n" + medium.lines(findings.conclusion)
        }
        if findings.contains(where: { $0.verdict == .problem }) { throw ExitStatus.failed }
    }
}
