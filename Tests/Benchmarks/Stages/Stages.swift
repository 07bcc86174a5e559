import Glibc

/// The measurements, in the order of the table. The budgets are those of the design.
struct Stages {
    let locationd: String
    let gpsd: String

    /// Measures the time from the write of an epoch until the last subscriber has read the event, and the cost of
    /// each further subscriber.
    func latency(rounds: Int, alone: Int, into report: inout Report) throws {
        let folder = try Folder()
        let daemon = try LocationdSubject(program: locationd, folder: folder)
        try daemon.grantSelf()
        let run = try LatencyRun([
            try RelaySubject(folder: folder), try GPSDSubject(program: gpsd, folder: folder), daemon,
        ])
        var medians: [Int: [String: Double]] = [:]
        for count in [1, 10, 60, alone] {
            progress("latency with \(count) subscribers")
            let samples = try run.measure(subscribers: count, rounds: rounds, spacing: 20...50)
            medians[count] = samples.mapValues(\.median)
            add("median at \(count)", samples, \.median, budget: count == 1 ? .ratio(0.6) : nil, to: &report)
            add(
                "99th percentile", samples, \.percentile99, budget: count == 1 ? .ratio(0.8) : nil, to: &report)
        }
        let costs = Dictionary(
            uniqueKeysWithValues: ["bare relay", "gpsd", "locationd"].map { name in
                (name, ((medians[60]?[name] ?? .nan) - (medians[1]?[name] ?? .nan)) / 59)
            })
        report.add(
            "each further subscriber", unit: "us", relay: costs["bare relay"], gpsd: costs["gpsd"],
            locationd: costs["locationd"]!, budget: .ratio(0.12))
    }

    private func add(
        _ figure: String, _ samples: [String: Samples], _ value: (Samples) -> Double, budget: Report.Budget? = nil,
        to report: inout Report
    ) {
        report.add(
            figure, unit: "us", relay: samples["bare relay"].map(value), gpsd: samples["gpsd"].map(value),
            locationd: samples["locationd"].map(value) ?? .nan, budget: budget)
        for (name, samples) in samples where samples.missed > 0 {
            report.note("\(name) did not give \(samples.missed) of \(samples.missed + samples.count) epochs in 2 s")
        }
    }

    /// Measures a great many subscribers of a receiver that sends once a second.
    func many(_ count: Int, into report: inout Report) throws {
        progress("\(count) subscribers at 1 Hz")
        let folder = try Folder()
        let daemon = try LocationdSubject(program: locationd, folder: folder)
        try daemon.grantSelf()
        let run = try LatencyRun([daemon])
        let samples = try run.measure(subscribers: count, rounds: 30, spacing: 900...1000)["locationd"] ?? Samples()
        report.add("median at \(count), 1 Hz", unit: "ms", locationd: samples.median / 1000)
        report.add(
            "the last of all", unit: "ms", locationd: samples.missed > 0 ? .infinity : samples.greatest / 1000,
            budget: .absolute(100))
    }

    /// Measures memory and wake-ups without subscribers, then memory with many subscribers that receive nothing.
    func idle(seconds: Int, into report: inout Report) throws {
        progress("\(seconds) s of idleness, and memory")
        let folder = try Folder()
        let daemon = try LocationdSubject(program: locationd, folder: folder)
        try daemon.grantSelf()
        let subjects: [any Subject] = [try GPSDSubject(program: gpsd, folder: folder), daemon]
        // The threads that wrote the grant linger for five seconds before they end. They are not part of the idle
        // state.
        sleep(milliseconds: 7000)
        let before = try subjects.map { try $0.process.sleeps() }
        sleep(milliseconds: seconds * 1000)
        let woken = try zip(subjects, before).map { Double(try $0.process.wakeUps(since: $1)) }
        let memory = try subjects.map { try $0.process.privateMemory() }
        var perSubscriber: [Double] = []
        for (subject, before) in zip(subjects, memory) {
            let count = min(1000, subject.maximumSubscribers)
            let subscribers = try Subscribers(framing: subject.framing)
            for _ in 0..<count { try subscribers.add(try subject.subscribe()) }
            try subject.awaitSubscribers(count)
            perSubscriber.append(Double(try subject.process.privateMemory() - before) / Double(count))
        }
        report.add(
            "RssAnon idle", unit: "kB", gpsd: Double(memory[0]), locationd: Double(memory[1]), budget: .absolute(3072))
        report.add(
            "RssAnon of each subscriber", unit: "kB", gpsd: perSubscriber[0], locationd: perSubscriber[1],
            budget: .absolute(4))
        report.add(
            "wake-ups in \(seconds) s idle", unit: "times", gpsd: woken[0], locationd: woken[1], budget: .absolute(0))
    }

    /// Measures the time from the start of the process to its first reply.
    func start(times: Int, into report: inout Report) throws {
        progress("\(times) starts")
        let folder = try Folder()
        var ours = Samples()
        var theirs = Samples()
        for _ in 0..<times {
            theirs.add(try milliseconds { try GPSDSubject(program: gpsd, folder: folder) })
            ours.add(try milliseconds { try LocationdSubject(program: locationd, folder: folder) })
        }
        report.add(
            "start to first answer", unit: "ms", gpsd: theirs.median, locationd: ours.median, budget: .absolute(50))
    }

    /// Returns the time that a subject takes to start, in milliseconds, without its shutdown.
    private func milliseconds(_ start: () throws -> any Subject) throws -> Double {
        let before = monotonicNow()
        let subject = try start()
        return withExtendedLifetime(subject) { Double(monotonicNow() - before) / 1e6 }
    }
}

/// Reports on standard error which measurement is being made.
func progress(_ what: String) {
    let line = Array("measuring \(what)\n".utf8)
    write(STDERR_FILENO, line, line.count)
}
