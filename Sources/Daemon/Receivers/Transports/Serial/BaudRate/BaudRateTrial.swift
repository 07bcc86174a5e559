import NIOCore
import NMEA

/// A trial of serial settings: the bytes that arrived while they were in use, and the evidence in these bytes.
///
/// Bytes are examined in blocks. NMEA 0183 is text, and data that is read with wrong settings is mostly other bytes.
struct BaudRateTrial {
    /// The result of a trial.
    enum Verdict: Equatable {
        /// Two valid sentences arrived, or one with settings that were right before.
        case right
        /// The settings are wrong.
        case wrong
        /// The baud rate is right, but with the associated framing.
        case framing(SerialSettings.Framing)
    }

    static let blockSize = 16
    /// The time that adapters and the kernel may collect bytes before they deliver them at once. FTDI's adapters hold
    /// bytes back for 16 ms.
    static let latency = TimeAmount.milliseconds(20)
    /// The number of bad blocks in a row that rule out the settings, in the first and in the second round. The second
    /// limit is higher because a trial that begins in the middle of a binary message may be abandoned too early.
    private static let badBlockLimits = [2, 64]
    /// The same after a sentence or the beginning of a binary message: binary messages may have some kilobytes.
    private static let longBadBlockLimit = 256
    /// The amount of text without a valid sentence that shows that it is not NMEA: a truncated and a whole sentence.
    private static let maximumTextLength = 2 * NMEADecoder.maximumSentenceLength
    /// The number of bursts without a valid sentence that rule out settings for which there is evidence.
    private static let maximumBursts = 3

    let settings: SerialSettings
    /// The time from which bytes count.
    private(set) var start: NIODeadline
    /// A Boolean value indicating whether there is evidence for the settings: a sentence, text or the start
    /// of a binary message.
    var isPromising: Bool { sentences > 0 || hasText || hasBinary }

    /// A Boolean value indicating whether valid sentences arrived that may have been read with the previous settings.
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
    /// The start of the burst, or of the trial if that is later, and the number of bytes since then.
    private var burst: (start: NIODeadline, bytes: Int)?
    private var block = Block()
    private var previous: UInt8 = 0

    /// The bytes of a block, counted by kind.
    private struct Block {
        var count = 0
        var text = 0
        var zeros = 0
        /// Text with the highest bit set.
        var highText = 0

        var others: Int { count - text }
    }

    /// Creates a trial.
    ///
    /// - Parameters:
    ///   - isKnown: `true` if the settings were right before, so that one sentence is enough.
    ///   - round: The number of earlier rounds of all settings.
    init(_ settings: SerialSettings, isKnown: Bool, round: Int, at now: NIODeadline) {
        self.settings = settings
        sentencesNeeded = isKnown ? 1 : 2
        start = now
        badBlockLimit = round < Self.badBlockLimits.count ? Self.badBlockLimits[round] : Self.longBadBlockLimit
    }

    /// Starts counting bytes, after a change of the settings or after the port was reopened with the same ones.
    mutating func begin(at now: NIODeadline) {
        start = now
        sentences = 0
        block = Block()
        burst = nil
        previous = 0
    }

    /// Records `sentences` valid sentences that arrived before `begin(at:)`.
    mutating func recordEarly(sentences: Int) {
        if sentences > 0 { hasEarlySentences = true }
    }

    /// Examines received bytes that contain the ends of `sentences` valid sentences or frames. Returns the verdict, if
    /// there is one yet.
    mutating func receive(_ bytes: RawSpan, sentences new: Int, at now: NIODeadline) -> Verdict? {
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
            let verdict = consume(bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
            if let verdict, verdict != .wrong || !exceedsBaudRate(at: now) { return verdict }
        }
        return nil
    }

    /// Returns whether the bytes arrive faster than the baud rate allows. Then the baud rate is meaningless, as with
    /// USB's CDC-ACM, and other settings would change nothing. A byte has ten bits, and adapters deliver all data that
    /// arrived within `latency` at once.
    func exceedsBaudRate(at now: NIODeadline) -> Bool {
        guard let burst else { return false }
        let needed = Int64(burst.bytes) * 10_000_000_000 / Int64(settings.bitsPerSecond)
        return .nanoseconds(needed) > now - burst.start + Self.latency
    }

    private mutating func consume(_ byte: UInt8) -> Verdict? {
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
            // Seven data and two stop bits, read as eight and one: the first stop bit becomes the highest data bit.
            if block.highText >= Self.blockSize - 1 { return .framing(.sevenN2) }
            // Even parity, read as none: a parity bit of 0 looks like a missing stop bit, and the tty returns 0 for the
            // character.
            if block.zeros >= 3, block.text >= 4, block.zeros + block.text >= Self.blockSize - 1 {
                return .framing(.eightE1)
            }
        }
        if block.others == 0 { hasText = true }
        badBlocks = block.others >= Self.blockSize / 4 ? badBlocks + 1 : 0
        let isLong = sentences > 0 || hasBinary
        if badBlocks >= (isLong ? Self.longBadBlockLimit : badBlockLimit) { return .wrong }
        let limit = isLong ? Self.longBadBlockLimit * Self.blockSize : Self.maximumTextLength
        return bytesWithoutSentence >= limit ? .wrong : nil
    }

    /// Handles the end of a burst. `wasWhole` means that the settings were in effect before its first byte arrived.
    mutating func burstEnded(whole wasWhole: Bool) -> Verdict? {
        burst = nil
        guard sentences == 0, judged > 0 else { return nil }
        defer { block = Block() }
        if isPromising {
            bursts += 1
            return bursts >= Self.maximumBursts ? .wrong : nil
        }
        return wasWhole || block.others > 0 || badBlocks > 0 ? .wrong : nil
    }

    /// Returns whether the byte is printable ASCII or part of a line end.
    private static func isText(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }

    /// Returns whether these are the first two bytes of a u-blox, SiRF or RTCM 3 message, which may be mixed with NMEA.
    private static func beginsBinary(_ first: UInt8, _ second: UInt8) -> Bool {
        switch (first, second) {
        case (0xB5, 0x62), (0xA0, 0xA2): true
        // Six zero bits and ten bits of length follow the first byte.
        case (0xD3, 0...3): true
        default: false
        }
    }
}
