import Glibc

/// Counts the instructions that the daemon spends on one epoch. The figures are the same on a busy machine.
struct InstructionStage {
    /// The number of further subscribers whose costs are averaged.
    private static let furtherSubscribers = 20
    let locationd: String

    /// Measures an epoch with one subscriber, and each further subscriber.
    ///
    /// - Parameter order: The file that is to list the functions of an epoch, in the order in which the linker is to
    ///   lay them, or `nil`.
    func measure(order: String? = nil, into report: inout Report) throws {
        guard access("/usr/bin/valgrind", X_OK) == 0 else { return report.note("instructions: no valgrind") }
        let code = try code(subscribers: 1)
        let what = "an epoch of GGA, GSA, RMC at one subscriber"
        report.add(what, unit: "instructions", locationd: code.instructions, budget: .absolute(25_000))
        report.add("its code", unit: "lines of 64 bytes", locationd: Double(code.lines), budget: .absolute(800))
        report.add("its code", unit: "pages", locationd: Double(code.pages), budget: .absolute(80))
        if let order {
            return try write(code.functions(of: locationd).map { $0 + "\n" }.joined(), to: order)
        }
        let more = try self.code(subscribers: 1 + Self.furtherSubscribers)
        report.add(
            "each further subscriber", unit: "instructions",
            locationd: (more.instructions - code.instructions) / Double(Self.furtherSubscribers))
    }

    /// Returns the difference between two runs under callgrind, one with more epochs.
    private func code(subscribers: Int) throws -> EpochCode {
        let folder = try Folder()
        let lengths = EpochRun.lengths
        let profiles = try [lengths.shorter, lengths.longer].map { epochs in
            let profile = "\(folder.path)/\(epochs)"
            try EpochRun(locationd: locationd, subscribers: subscribers).play(
                epochs: epochs,
                launcher: [
                    "/usr/bin/valgrind", "--tool=callgrind", "--callgrind-out-file=\(profile)", "--dump-instr=yes",
                    "--compress-pos=no", "--log-file=/dev/null",
                ])
            return profile
        }
        return try EpochCode(
            shorter: profiles[0], longer: profiles[1], epochs: lengths.longer - lengths.shorter)
    }
}
