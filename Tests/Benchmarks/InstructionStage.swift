import Glibc

/// Counts the instructions that the daemon spends on one epoch with one subscriber. The figure is the same on a busy
/// machine.
struct InstructionStage {
    let locationd: String

    /// Measures the difference between two runs under callgrind, one of which has a hundred epochs more.
    func measure(into report: inout Report) throws {
        guard access("/usr/bin/valgrind", X_OK) == 0 else { return report.note("instructions: no valgrind") }
        let counts = try [50, 150].map { try instructions(epochs: $0) }
        report.add(
            "an epoch of GGA, GSA, RMC at one subscriber", unit: "instructions",
            locationd: (counts[1] - counts[0]) / 100, budget: .absolute(25_000))
    }

    private func instructions(epochs: Int) throws -> Double {
        let folder = try Folder()
        let output = folder.path + "/callgrind"
        do {
            let daemon = try LocationdSubject(
                program: locationd, folder: folder,
                launcher: [
                    "/usr/bin/valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(output)",
                ])
            try daemon.grantSelf()
            let subscribers = try Subscribers(framing: daemon.framing)
            try subscribers.add(try daemon.subscribe())
            try daemon.awaitSubscribers(1)
            var writer = EpochWriter(start: time(nil), sentences: .fewest)
            // The first epochs pass before the decoder has learned the cycle, so they may be missed.
            for number in 0..<epochs {
                let epoch = writer.next()
                subscribers.expect(daemon.mark(of: epoch))
                let start = try daemon.port.send(epoch.bytes)
                let end = try subscribers.awaitAll(deadline: start + (number < 10 ? 1_000_000_000 : 60_000_000_000))
                guard end != nil || number < 10 else { throw Failure("an epoch did not come through valgrind") }
            }
        }
        return try Self.total(in: output)
    }

    /// Returns the figure in `==1234== Collected : 5678`.
    private static func total(in log: String) throws -> Double {
        let line = try contents(log).split(separator: "\n").first { $0.contains("Collected : ") }
        guard let total = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw Failure("valgrind has counted nothing: \(try contents(log))")
        }
        return total
    }
}
