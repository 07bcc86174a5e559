import Glibc

/// Counts the instructions that the daemon spends on one epoch with one subscriber. The figure is the same on a busy
/// machine.
struct InstructionStage {
    let locationd: String

    /// Measures the difference between two runs under callgrind, one of which has a hundred epochs more.
    ///
    /// - Parameter order: The file that is to list the functions of an epoch, in the order in which the linker is to
    ///   lay them, or `nil`.
    func measure(order: String? = nil, into report: inout Report) throws {
        guard access("/usr/bin/valgrind", X_OK) == 0 else { return report.note("instructions: no valgrind") }
        let folder = try Folder()
        let profiles = try [50, 150].map { epochs in
            let profile = "\(folder.path)/\(epochs)"
            try run(epochs: epochs, profile: profile)
            return profile
        }
        let code = try EpochCode(shorter: profiles[0], longer: profiles[1], epochs: 100)
        let what = "an epoch of GGA, GSA, RMC at one subscriber"
        report.add(what, unit: "instructions", locationd: code.instructions, budget: .absolute(25_000))
        report.add("its code", unit: "lines of 64 bytes", locationd: Double(code.lines), budget: .absolute(800))
        report.add("its code", unit: "pages", locationd: Double(code.pages), budget: .absolute(80))
        if let order {
            try write(code.functions(of: locationd).map { $0 + "\n" }.joined(), to: order)
        }
    }

    private func run(epochs: Int, profile: String) throws {
        let folder = try Folder()
        do {
            let daemon = try LocationdSubject(
                program: locationd, folder: folder,
                launcher: [
                    "/usr/bin/valgrind", "--tool=callgrind", "--callgrind-out-file=\(profile)", "--dump-instr=yes",
                    "--compress-pos=no", "--log-file=/dev/null",
                ])
            try daemon.grantSelf()
            let subscribers = try Subscribers(framing: daemon.framing)
            try subscribers.add(try daemon.subscribe())
            try daemon.awaitSubscribers(1)
            // The epochs come as fast as they are handled. In steps of a second their times would soon differ from the
            // machine's clock by so much that they were suspect.
            var writer = EpochWriter(start: time(nil), sentences: .fewest, interval: 10)
            // The first epochs pass before the decoder has learned the cycle, so they may be missed.
            for number in 0..<epochs {
                let epoch = writer.next()
                subscribers.expect(daemon.mark(of: epoch))
                let start = try daemon.port.send(epoch.bytes)
                let end = try subscribers.awaitAll(deadline: start + (number < 10 ? 1_000_000_000 : 60_000_000_000))
                guard end != nil || number < 10 else { throw Failure("an epoch did not come through valgrind") }
            }
        }
    }
}
