import Glibc
import NMEA
import TestSupport

/// The measurements of the NMEA decoder, from memory and through `locationctl decode`.
struct NMEAStages {
    let locationctl: String
    /// The path of this program, which decodes a file if called with `--decode-only`.
    let own: String

    /// Measures bytes in memory to epochs, on one core. Takes the best of nine rounds, because the machine is shared.
    func memory(into report: inout Report) {
        let log = NMEALog(epochs: 40_000)
        var best = Double.infinity
        for _ in 0..<9 {
            let before = monotonicNow()
            let epochs = Self.decode(log.bytes)
            best = min(best, Double(monotonicNow() - before) / 1e9)
            precondition(epochs == 40_000, "every epoch of the log is found")
        }
        report.add(
            "NMEA from memory", unit: "million sentences/s", locationd: Double(log.sentences) / best / 1e6,
            budget: .atLeast(10))
        report.add(
            "NMEA from memory", unit: "MB/s", locationd: Double(log.bytes.count) / best / 1e6, budget: .atLeast(600))
    }

    /// Reads 10^6 seconds of noise at 9600 baud, as a port delivers at a wrong speed, and counts what passes for a
    /// message. Each 1,000 seconds have a decoder of their own, as after a change of the speed.
    func noise(into report: inout Report) {
        var random = SeededRandom(seed: 64)
        var bytes = [UInt8](repeating: 0, count: 960_000)
        var accepted: UInt64 = 0
        for _ in 0..<1_000 {
            bytes.withUnsafeMutableBytes { bytes in
                bytes.withMemoryRebound(to: UInt64.self) { words in
                    for index in words.indices { words[index] = random.next() }
                }
            }
            var decoder = NMEADecoder()
            decoder.decode(bytes.span.bytes) { _ in }
            accepted += decoder.counts.messages
        }
        report.add(
            "messages in 10^6 s of noise at 9600 baud", unit: "messages", locationd: Double(accepted),
            budget: .absolute(0))
    }

    /// Measures how much more heap is allocated for ten times the input, as valgrind counts it.
    func heap(into report: inout Report) throws {
        guard access("/usr/bin/valgrind", X_OK) == 0 else { return report.note("heap of the NMEA reader: no valgrind") }
        let folder = try Folder()
        let usage = try [2_000, 20_000].map { epochs in
            let file = folder.path + "/\(epochs).nmea"
            try Self.write(NMEALog(epochs: epochs).bytes, to: file)
            let output = folder.path + "/\(epochs).valgrind"
            // The seed of the hashing decides how often a dictionary grows.
            try Self.run([
                "/usr/bin/env", "SWIFT_DETERMINISTIC_HASHING=1", "/usr/bin/valgrind", "--log-file=\(output)", own,
                "--decode-only", file,
            ])
            return try Self.allocatedBytes(in: output)
        }
        // A longer file name and a longer number in the output account for a few bytes. One byte a sentence would be
        // 144,000.
        report.add(
            "heap for 10 x the input, less that for 1 x", unit: "bytes", locationd: usage[1] - usage[0],
            budget: .absolute(200))
    }

    /// Measures `locationctl decode` against gpsdecode on the same 200,000 sentences, both printing JSON.
    func decode(into report: inout Report) throws {
        guard access("/usr/bin/gpsdecode", X_OK) == 0 else { return report.note("decode: no gpsdecode") }
        let folder = try Folder()
        let file = folder.path + "/log.nmea"
        try Self.write(NMEALog(epochs: 25_000).bytes, to: file)
        var ours = Samples()
        var theirs = Samples()
        for _ in 0..<5 {
            theirs.add(try Self.milliseconds("/usr/bin/gpsdecode < \(file) > /dev/null"))
            ours.add(try Self.milliseconds("\(locationctl) decode \(file) > /dev/null 2> /dev/null"))
        }
        report.add(
            "decode 200,000 sentences", unit: "ms", gpsd: theirs.median, locationd: ours.median, budget: .ratio(0.1))
    }

    /// Decodes a file in pieces of 64 kB. This is the run that valgrind observes; decoding is to allocate nothing in
    /// it.
    static func decodeOnly(file: String) throws {
        let descriptor = open(file, O_RDONLY)
        guard descriptor >= 0 else { throw Failure(file, errno: errno) }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var decoder = NMEADecoder()
        var sum = 0.0
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            decoder.decode(buffer.span.bytes.extracting(first: count)) { event in
                if case .epoch(let epoch) = event { sum += epoch.latitude }
            }
        }
        print("\(decoder.counts.sentences) sentences, latitudes add up to \(sum)")
    }

    private static func decode(_ bytes: [UInt8]) -> Int {
        var decoder = NMEADecoder()
        var epochs = 0
        decoder.decode(bytes.span.bytes) { event in
            if case .epoch = event { epochs += 1 }
        }
        while let event = decoder.flush() {
            if case .epoch = event { epochs += 1 }
        }
        return epochs
    }

    // MARK: Files and programs

    private static func write(_ bytes: [UInt8], to file: String) throws {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw Failure(file, errno: errno) }
        defer { close(descriptor) }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done) }
            guard count > 0 else { throw Failure(file, errno: errno) }
            done += count
        }
    }

    private static func run(_ command: [String]) throws {
        guard system(command.map { "'\($0)'" }.joined(separator: " ") + " > /dev/null") == 0 else {
            throw Failure(command[0], errno: EIO)
        }
    }

    private static func milliseconds(_ command: String) throws -> Double {
        let before = monotonicNow()
        guard system(command) == 0 else { throw Failure(command, errno: EIO) }
        return Double(monotonicNow() - before) / 1e6
    }

    /// Returns the last figure in `total heap usage: 1,234 allocs, 1,200 frees, 567,890 bytes allocated`.
    private static func allocatedBytes(in log: String) throws -> Double {
        guard let file = fopen(log, "r") else { throw Failure(log, errno: errno) }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 1024)
        while fgets(&line, 1024, file) != nil {
            let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            guard text.contains("total heap usage"), let figure = text.split(separator: " ").dropLast(2).last else {
                continue
            }
            return Double(String(figure.filter(\.isNumber))) ?? .nan
        }
        return .nan
    }
}
