import Glibc

/// The entry point for libFuzzer: passes each input to the target named by the environment variable FUZZ_TARGET.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// A function that reads an input, and traps if the result violates a rule.
private typealias Target = @Sendable ([UInt8]) -> Void

private let targets: [String: Target] = [
    "nmea": fuzzNMEA,
    "fixes": fuzzFixes,
    "frames": fuzzFrames,
    "interfaces": fuzzInterfaces,
    "gpx": fuzzGPX,
    "report": fuzzReport,
    "gpsd": fuzzGPSD,
    "gpsd-requests": fuzzGPSDRequests,
    "peers": fuzzPeers,
    "geoclue": fuzzGeoClue,
    "sockdiag": fuzzSocketAnswers,
    "shift": fuzzShift,
    "datagrams": fuzzDatagrams,
    "answers": fuzzAnswers,
    "rtcm": fuzzRTCM,
    "casters": fuzzCasters,
    "beacons": fuzzBeacons,
    "wireless": fuzzWireless,
]

private let target: Target = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = targets[name] else { fatalError("FUZZ_TARGET is none of \(targets.keys.sorted())") }
    return target
}()

/// The input of a target that reads it both whole and in pieces. The first byte is the length of the pieces, so that
/// libFuzzer can find the cuts that matter.
struct CutInput {
    /// The bytes to read.
    var bytes: ArraySlice<UInt8>
    /// The first byte.
    var first: UInt8

    init?(_ input: [UInt8]) {
        guard let first = input.first else { return nil }
        self.first = first
        bytes = input.dropFirst()
    }

    /// Returns the outcome of reading the input whole. Traps if reading it in pieces has another outcome.
    func read<Outcome: Equatable>(_ read: ([[UInt8]]) -> Outcome) -> Outcome {
        let whole = read([Array(bytes)])
        precondition(whole == read(pieces), "depends on the cuts")
        return whole
    }

    private var pieces: [[UInt8]] {
        let length = max(1, Int(first))
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: length).map { start in
            Array(bytes[start..<min(start + length, bytes.endIndex)])
        }
    }
}
