import Glibc

/// Measures clients of gpsd's protocol: of gpsd, and of locationd in its place. The budgets are those of the design.
struct GPSDStage {
    let locationd: String
    let gpsd: String

    /// Measures the time from the last byte of an epoch until the last client has read its TPV, and the cost of each
    /// further client. gpsd accepts 64 clients.
    func measure(rounds: Int, alone: Int, into report: inout Report) throws {
        let folder = try Folder()
        let daemon = try GPSDFrontSubject(program: locationd, folder: folder)
        try daemon.grantSelf()
        let run = try LatencyRun([try GPSDSubject(program: gpsd, folder: folder), daemon])
        var medians: [Int: [String: Double]] = [:]
        for count in [1, 10, 60, alone] {
            progress("clients of gpsd: \(count)")
            let samples = try run.measure(subscribers: count, rounds: rounds, spacing: 20...50)
            let (theirs, ours) = (samples["gpsd"], samples[daemon.name] ?? Samples())
            medians[count] = samples.mapValues(\.median)
            report.add(
                "gpsd's clients: median at \(count)", unit: "us", gpsd: theirs?.median, locationd: ours.median,
                budget: count == 1 ? .ratio(1) : nil)
            report.add(
                "99th percentile", unit: "us", gpsd: theirs?.percentile99, locationd: ours.percentile99)
            for (name, samples) in samples where samples.missed > 0 {
                report.note(
                    "\(name) did not give \(samples.missed) of \(samples.missed + samples.count) epochs in 2 s")
            }
        }
        func cost(_ name: String) -> Double { ((medians[60]?[name] ?? .nan) - (medians[1]?[name] ?? .nan)) / 59 }
        report.add(
            "each further client", unit: "us", gpsd: cost("gpsd"), locationd: cost(daemon.name), budget: .ratio(0.3))
    }
}
