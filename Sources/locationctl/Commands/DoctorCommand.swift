internal import ArgumentParser
internal import Authorization
internal import Glibc
internal import LocationProtocol

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Looks for what is wrong, and says what to do.")

    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    /// What was looked at, and what was found.
    struct Finding: Codable {
        enum Verdict: String, Codable { case good, bad, unknown }
        var verdict: Verdict
        var what: String
        /// What to do about it.
        var advice: String?
    }

    func run() async throws {
        let daemon = DaemonConnection(target, parent.target)
        var findings = [socket(daemon)]
        findings += await services(daemon)
        findings += await receivers(daemon)
        try output.write(findings) {
            findings.map { finding in
                let mark = ["good": "ok  ", "bad": "BAD ", "unknown": "?   "][finding.verdict.rawValue]!
                return mark + Terminal.printable(finding.what) + "\n"
                    + (finding.advice.map { "    \(Terminal.printable($0))\n" } ?? "")
            }.joined()
        }
        if findings.contains(where: { $0.verdict == .bad }) { throw ExitStatus.failed }
    }

    private func socket(_ daemon: DaemonConnection) -> Finding {
        let path = daemon.path(LocationInterface.self)
        if access(path, R_OK | W_OK) == 0 {
            return Finding(verdict: .good, what: "the public socket is there: \(path)")
        }
        return errno == EACCES
            ? Finding(verdict: .bad, what: "\(path) is not open to this user", advice: "its mode should be 0666")
            : Finding(
                verdict: .bad, what: "there is no socket \(path)",
                advice: "start the daemon, or name its folder with --runtime-directory")
    }

    private func services(_ daemon: DaemonConnection) async -> [Finding] {
        do {
            let authorization = try await daemon.call(GetAuthorization.self, Nothing()).authorization
            let answers = Finding(verdict: .good, what: "the daemon answers")
            guard authorization.servicesEnabled else {
                return [
                    answers,
                    Finding(
                        verdict: .bad, what: "location services are off", advice: "run `\(daemon.command("enable"))`"),
                ]
            }
            return [answers, Finding(verdict: .good, what: "location services are on")]
        } catch {
            return [Finding(verdict: .bad, what: "the daemon does not answer", advice: (error as? Failure)?.message)]
        }
    }

    private func receivers(_ daemon: DaemonConnection) async -> [Finding] {
        do {
            let receivers = try await daemon.call(ListReceivers.self, Nothing()).receivers
            if receivers.isEmpty {
                return [
                    Finding(
                        verdict: .bad, what: "there is no receiver",
                        advice:
                            "plug one in; if locationd does not know it, add [[receiver]] with source = \"serial:/dev/ttyACM0\" to /etc/locationd/locationd.toml"
                    )
                ]
            }
            return receivers.flatMap { [state(of: $0)] + node(of: $0) }
        } catch {
            return [
                Finding(
                    verdict: .unknown, what: "the receivers cannot be asked about", advice: (error as? Failure)?.message
                )
            ]
        }
    }

    private func state(of receiver: ReceiverSummary) -> Finding {
        switch receiver.state {
        case .running: Finding(verdict: .good, what: "\(receiver.name) gives fixes")
        case .stopped: Finding(verdict: .good, what: "\(receiver.name) is closed, since no app asks")
        case .resting:
            Finding(verdict: .good, what: "\(receiver.name) is closed until the next fix is due")
        case .connecting, .searching:
            Finding(
                verdict: .unknown, what: "\(receiver.name) is \(receiver.state.rawValue)",
                advice: "a first fix takes up to some minutes, and a view of the sky")
        case .lost: Finding(verdict: .bad, what: "\(receiver.name) is lost", advice: receiver.message)
        case .ended: Finding(verdict: .bad, what: "\(receiver.name) has come to the end of its file")
        }
    }

    /// The device node of a serial receiver.
    private func node(of receiver: ReceiverSummary) -> [Finding] {
        guard receiver.specification.hasPrefix("serial:") else { return [] }
        let source = receiver.specification.dropFirst(7)
        let path = source.lastIndex(of: "@").map { String(source[..<$0]) } ?? String(source)
        var status = stat()
        guard stat(path, &status) == 0 else {
            return [
                Finding(
                    verdict: .bad, what: "there is no \(path)",
                    advice: "plug the receiver in; `ls /dev/serial/by-id` lists ports")
            ]
        }
        guard status.st_mode & S_IFMT == S_IFCHR else {
            return [
                Finding(
                    verdict: .bad, what: "\(path) is no device", advice: "name the port itself, such as /dev/ttyACM0")
            ]
        }
        return [Finding(verdict: .good, what: "\(path) is there")]
    }
}
