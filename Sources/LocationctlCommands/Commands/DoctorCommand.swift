internal import ArgumentParser

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Looks for what is wrong, and says what to do.",
        discussion: """
            Looks at the sockets and units, the configuration, the receivers with their ports and who else wants them \
            (gpsd, ModemManager), the clock, your groups and login, and what was decided about locationctl. The most \
            important comes first. As root it sees more. Exit status 1: there is a problem.
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run() async throws {
        let facts = await Survey(daemon: DaemonConnection(target, parent.target)).facts()
        let findings = Examination.findings(in: facts)
        try output.write(findings) { findings.text }
        if findings.contains(where: { $0.verdict == .problem }) { throw ExitStatus.failed }
    }
}
