import ArgumentParser
import Glibc

/// Measures locationd side by side with gpsd.
@main
struct Benchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locationd-bench", abstract: "Measure locationd side by side with gpsd, in one run.")

    @Option(help: "Epochs to measure. Each figure is their median.")
    var rounds = 300
    @Option(help: "Subscribers of locationd alone.")
    var alone = 1000
    @Option(help: "Subscribers of locationd at 1 Hz, such as 10000, as far as descriptors allow; 0: none.")
    var many = 0
    @Option(help: "Seconds to observe the idle daemon.")
    var idleSeconds = 10
    @Option(help: "Starts to measure. The start time is their median.")
    var starts = 20
    @Option(help: "The daemon. Default: the one that was built together with this program.")
    var locationd: String?
    @Option(help: "gpsd, found in PATH or in /usr/sbin.")
    var gpsd = access("/usr/sbin/gpsd", X_OK) == 0 ? "/usr/sbin/gpsd" : "gpsd"
    @Flag(help: "Exit with status 1 when a budget is missed.")
    var strict = false

    @Flag(help: "Only count instructions.")
    var instructions = false
    @Option(help: "Only list the functions of an epoch in this file, in the order of their addresses.")
    var order: String?
    @Option(help: "Only run a daemon that profiles itself, once with more epochs; write both profiles to this folder.")
    var profiles: String?
    @Option(help: "Only decode this NMEA log, for valgrind.")
    var decodeOnly: String?

    func run() throws {
        if let decodeOnly { return try NMEAStages.decodeOnly(file: decodeOnly) }
        let descriptors = raiseDescriptorLimit()
        let bench = Stages(locationd: try locationd ?? Self.sibling("locationd"), gpsd: gpsd)
        var report = Report()
        defer { report.print() }
        if let profiles { return try profile(bench.locationd, to: profiles) }
        if instructions || order != nil {
            return try InstructionStage(locationd: bench.locationd).measure(order: order, into: &report)
        }
        try bench.latency(rounds: rounds, alone: alone, into: &report)
        try GPSDStage(locationd: bench.locationd, gpsd: gpsd).measure(rounds: rounds, alone: alone, into: &report)
        if many > 0 { try bench.many(min(many, descriptors - 200), into: &report) }
        try InstructionStage(locationd: bench.locationd).measure(into: &report)
        try bench.idle(seconds: idleSeconds, into: &report)
        try bench.start(times: starts, into: &report)
        let nmea = NMEAStages(locationctl: try Self.sibling("locationctl"), own: try Self.sibling("locationd-bench"))
        nmea.memory(into: &report)
        nmea.noise(into: &report)
        try nmea.heap(into: &report)
        try nmea.decode(into: &report)
        if strict, report.hasMisses { throw ExitCode.failure }
    }

    /// Writes the profiles `shorter` and `longer` of a daemon that was built with `-ir-profile-generate`.
    private func profile(_ locationd: String, to folder: String) throws {
        for (name, epochs) in [("shorter", EpochRun.lengths.shorter), ("longer", EpochRun.lengths.longer)] {
            try EpochRun(locationd: locationd).play(
                epochs: epochs, launcher: ["/usr/bin/env", "LLVM_PROFILE_FILE=\(folder)/\(name)"])
        }
    }

    /// Returns the path of a program in the same folder as this one.
    private static func sibling(_ name: String) throws -> String {
        guard let own = realpath("/proc/self/exe", nil) else { throw Failure("/proc/self/exe", errno: errno) }
        defer { free(own) }
        return String(cString: dirname(own)) + "/" + name
    }
}

/// Raises the limit on open files and returns it. Each subscriber takes one descriptor in this process and one in the
/// daemon, which inherits the limit.
private func raiseDescriptorLimit() -> Int {
    var limit = rlimit(rlim_cur: 65_536, rlim_max: 65_536)
    if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    return Int(limit.rlim_cur)
}
