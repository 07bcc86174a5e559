import NIOCore
import NMEA

/// What came in while a serial line was read with certain settings, and what that says about them.
///
/// Bytes are judged in blocks. Text is what NMEA 0183 is made of; a line that is read wrongly gives mostly other bytes.
struct BaudRateTrial {
    /// What to think of the settings.
    enum Verdict: Equatable {
        /// Two valid sentences, or one more where there were two before.
        case right
        /// Not these.
        case wrong
        /// The speed, with another framing.
        case framing(SerialSettings.Framing)
    }

    static let blockSize = 16
    /// Adapters and the kernel hand over together what they received within this time. FTDI's adapters keep bytes for 16 ms.
    static let latency = TimeAmount.milliseconds(20)
    /// How many blocks in a row are to be bad, in the first round and in the next: a trial that began in the middle of a
    /// binary message was given up too soon.
    private static let badBlockLimits = [2, 64]
    /// The same where a sentence or the beginning of a binary message was seen: binary messages may have some kilobytes.
    private static let longBadBlockLimit = 256
    /// That much text without a valid sentence is no NMEA: a sentence cut at its beginning and a whole one have half of it.
    private static let longestText = 2 * NMEADecoder.maximumSentenceLength
    /// That many bursts are seen to their ends where something speaks for the settings.
    private static let longestBursts = 3

    let settings: SerialSettings
    /// Since when bytes count.
    private(set) var start: NIODeadline
    /// A Boolean value indicating whether a sentence, text or the beginning of a binary message was seen.
    var isPromising: Bool { sentences > 0 || hasText || hasBinary }

    /// A Boolean value indicating whether valid sentences came that may have been read with the settings before.
    private(set) var hasEarlySentences = false

    private let sentencesNeeded: Int
    private let badBlockLimit: Int
    private var sentences = 0
    private var hasText = false
    private var hasBinary = false
    private var judged = 0
    private var bytesWithoutSentence = 0
    private var badBlocks = 0
    private var bursts = 0
    /// When the burst began, or the trial if that is later, and the bytes since then.
    private var burst: (start: NIODeadline, bytes: Int)?
    private var block = Block()
    private var previous: UInt8 = 0

    /// The bytes of a block, by what they look like.
    private struct Block {
        var count = 0
        var text = 0
        var zeros = 0
        /// Text with the highest bit set.
        var highText = 0

        var others: Int { count - text }
    }

    /// - Parameters:
    ///   - isKnown: Whether the settings were right before: one more sentence is enough then.
    ///   - round: How many times all settings were tried before.
    init(_ settings: SerialSettings, isKnown: Bool, round: Int, at now: NIODeadline) {
        self.settings = settings
        sentencesNeeded = isKnown ? 1 : 2
        start = now
        badBlockLimit = round < Self.badBlockLimits.count ? Self.badBlockLimits[round] : Self.longBadBlockLimit
    }

    /// Begins to count bytes, after a change of the settings or after the port was opened again with the same ones.
    mutating func begin(at now: NIODeadline) {
        start = now
        sentences = 0
        block = Block()
        burst = nil
        previous = 0
    }

    /// Takes what came before `begin(at:)`, in which that many valid sentences ended.
    mutating func takeEarly(sentences: Int) {
        if sentences > 0 { hasEarlySentences = true }
    }

    /// Takes what was read, in which that many valid sentences ended.
    mutating func take(_ bytes: RawSpan, sentences new: Int, at now: NIODeadline) -> Verdict? {
        sentences += new
        if sentences >= sentencesNeeded { return .right }
        if new > 0 {
            badBlocks = 0
            bytesWithoutSentence = 0
            block = Block()
            return nil
        }
        burst = (burst?.start ?? now, (burst?.bytes ?? 0) + bytes.byteCount)
        for index in 0..<bytes.byteCount {
            let verdict = take(bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
            if let verdict, verdict != .wrong || !isFasterThanItsLine(at: now) { return verdict }
        }
        return nil
    }

    /// Returns whether the bytes come faster than the line can carry them: then its speed is of no meaning, as with
    /// USB's CDC-ACM, and other settings would change nothing. Ten bits a byte; adapters hand over together what came
    /// within `latency`.
    func isFasterThanItsLine(at now: NIODeadline) -> Bool {
        guard let burst else { return false }
        let needed = Int64(burst.bytes) * 10_000_000_000 / Int64(settings.bitsPerSecond)
        return .nanoseconds(needed) > now - burst.start + Self.latency
    }

    private mutating func take(_ byte: UInt8) -> Verdict? {
        judged += 1
        bytesWithoutSentence += 1
        block.count += 1
        if Self.isText(byte) { block.text += 1 }
        if byte == 0 { block.zeros += 1 }
        if byte >= 0x80, Self.isText(byte & 0x7F) { block.highText += 1 }
        if Self.beginsBinary(previous, byte) { hasBinary = true }
        previous = byte
        guard block.count == Self.blockSize else { return nil }
        defer { block = Block() }
        return verdictOnBlock()
    }

    private mutating func verdictOnBlock() -> Verdict? {
        if settings.framing == .eightN1, !isPromising {
            // Seven data bits and two stop bits, read as eight and one: the first stop bit is the highest data bit.
            if block.highText >= Self.blockSize - 1 { return .framing(.sevenN2) }
            // Even parity, read as none: where its bit is 0 the stop bit is missing, and the tty gives 0 for such a byte.
            if block.zeros >= 3, block.text >= 4, block.zeros + block.text >= Self.blockSize - 1 {
                return .framing(.eightE1)
            }
        }
        if block.others == 0 { hasText = true }
        badBlocks = block.others >= Self.blockSize / 4 ? badBlocks + 1 : 0
        let isLong = sentences > 0 || hasBinary
        if badBlocks >= (isLong ? Self.longBadBlockLimit : badBlockLimit) { return .wrong }
        let limit = isLong ? Self.longBadBlockLimit * Self.blockSize : Self.longestText
        return bytesWithoutSentence >= limit ? .wrong : nil
    }

    /// The line has fallen silent. `wasWhole`: the settings were set before the first byte came.
    mutating func burstEnded(whole wasWhole: Bool) -> Verdict? {
        burst = nil
        guard sentences == 0, judged > 0 else { return nil }
        defer { block = Block() }
        if isPromising {
            bursts += 1
            return bursts >= Self.longestBursts ? .wrong : nil
        }
        return wasWhole || block.others > 0 || badBlocks > 0 ? .wrong : nil
    }

    /// Printable ASCII and line ends.
    private static func isText(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }

    /// The first two bytes of a message of u-blox, SiRF and RTCM 3, which stand beside NMEA on one line.
    private static func beginsBinary(_ first: UInt8, _ second: UInt8) -> Bool {
        switch (first, second) {
        case (0xB5, 0x62), (0xA0, 0xA2): true
        // Ten bits of length follow six that are 0.
        case (0xD3, 0...3): true
        default: false
        }
    }
}
