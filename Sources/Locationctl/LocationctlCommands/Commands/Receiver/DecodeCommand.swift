internal import ArgumentParser
internal import FileFormats
internal import Glibc
internal import LocationModel
internal import LocationctlSupport
internal import NIOCore
internal import NMEA

struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Prints the fixes of a recorded log.",
        discussion: """
            The log is NMEA 0183, with or without UBX frames, also in UTF-16. Prints one fix per epoch, without a \
            daemon and without this machine's clock: until the log contains a date, a fix has no time stamp. The \
            number of skipped sentences, and the reasons, go to standard error.
            """)

    @Argument(help: ArgumentHelp("The log; - for standard input.", valueName: "file"))
    var file: String
    @Option(help: "The output format: json (one line per fix), csv or gpx.")
    var format: DecodedFormat = .json

    func run() throws {
        let input = try ChunkedInput(path: file)
        var output = OutputBuffer()
        var decoder = NMEADecoder()
        var text = TextDecoder(acceptsGPX: false)
        var progress = ProgressBar(totalBytes: input.size, printsOutput: true)
        // An error message begins on a line of its own.
        defer { progress.end() }
        format.begin(&output)
        var isFirst = true
        while let chunk = try input.next() {
            if text.isVerbatim {
                decode(chunk.readableBytesSpan, with: &decoder, &isFirst, to: &output)
            } else {
                decode(try decoded(chunk, by: &text), with: &decoder, &isFirst, to: &output)
            }
            if let failure = output.failure { throw failure }
            progress.advance(by: chunk.readableBytes)
        }
        decode(try decoded(nil, by: &text), with: &decoder, &isFirst, to: &output)
        while let event = decoder.flush() {
            if case .epoch(let epoch) = event { format.write(epoch, to: &output) }
        }
        format.end(&output)
        try output.flush()
        progress.end()
        Terminal.writeError(
            Self.summary(decoder.counts, unchecked: decoder.uncheckedSentences, unreadFrames: decoder.unreadFrames))
        guard decoder.hasFoundMessages else {
            throw Failure(.failed, "\(file == "-" ? "standard input" : file) is not a log: nothing in it can be read")
        }
    }

    private func decode(
        _ bytes: RawSpan, with decoder: inout NMEADecoder, _ isFirst: inout Bool, to output: inout OutputBuffer
    ) {
        guard bytes.byteCount > 0 else { return }
        if isFirst, NMEADecoder.lacksChecksums(bytes) { decoder.expectNoChecksums() }
        isFirst = false
        decoder.decode(bytes) { event in
            if case .epoch(let epoch) = event { format.write(epoch, to: &output) }
        }
    }

    private func decode(
        _ text: [UInt8], with decoder: inout NMEADecoder, _ isFirst: inout Bool, to output: inout OutputBuffer
    ) {
        decode(text.span.bytes, with: &decoder, &isFirst, to: &output)
    }

    /// Returns the text in a chunk of the file or, for `nil`, the rest at the end of the file. Throws an error that
    /// names the format if the file has another format.
    private func decoded(_ chunk: ByteBuffer?, by text: inout TextDecoder) throws(Failure) -> [UInt8] {
        do throws(ForeignFormat) {
            guard let chunk else { return try text.finish() }
            return try text.decode(chunk.readableBytesUInt8Span)
        } catch {
            throw Failure(.failed, "\(Terminal.printable(file == "-" ? "standard input" : file)): \(error)")
        }
    }

    /// Returns the counts of decoded and skipped input, one line each.
    static func summary(_ counts: Counts, unchecked: UInt64 = 0, unreadFrames: [(name: String, count: UInt64)] = [])
        -> String
    {
        let kinds = unreadFrames.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
        let reasons: [(UInt64, String)] = [
            (counts.bytesSkipped, "bytes outside of sentences and frames"), (counts.checksumErrors, "wrong checksums"),
            (unchecked, "sentences without a checksum, which were read: none has one"),
            (counts.missingChecksums, "sentences without a checksum"), (counts.overlong, "sentences too long"),
            (counts.malformed, "malformed sentences"), (counts.unknownKinds, "sentences of unsupported types"),
            (counts.unreadFrames, "UBX frames that are not read: \(kinds)"),
            (counts.sentencesWithoutFix, "sentences and frames without a fix"),
            (counts.epochsWithoutDate, "fixes without a date"),
            (counts.staleTimes, "times that did not advance"), (counts.backwardTimes, "times that went back"),
            (counts.lateSentences, "sentences that came after their epoch"),
            (counts.outOfRange, "positions out of range"), (counts.otherDevices, "sentences of other devices"),
            (counts.otherClocks, "sentences of a clock that is hours off"),
            (counts.othersMotion, "motions of another device, which were used"),
        ]
        let frames = counts.frames > 0 ? "\(counts.frames) UBX frames, " : ""
        return reasons.filter { $0.0 > 0 }.reduce("\(counts.sentences) sentences, \(frames)\(counts.epochs) fixes\n") {
            $0 + "  \($1.0) \($1.1)\n"
        }
    }
}
