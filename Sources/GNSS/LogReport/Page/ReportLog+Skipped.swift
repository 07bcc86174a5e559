internal import NMEA

extension ReportLog {
    static func skipped(_ counts: Counts, unchecked: UInt64) -> [Skipped] {
        [
            Skipped(unchecked, "uncheckedSentences", "sentences without a checksum, which were read: none has one"),
            Skipped(counts.checksumErrors, "checksumErrors", "sentences with a wrong checksum"),
            Skipped(counts.missingChecksums, "missingChecksums", "sentences without a checksum"),
            Skipped(counts.overlong, "overlong", "sentences longer than \(NMEADecoder.maximumSentenceLength) bytes"),
            Skipped(counts.bytesSkipped, "bytesSkipped", "bytes outside of sentences and frames"),
            Skipped(counts.malformed, "malformed", "sentences with an unreadable field; the other fields were used"),
            Skipped(counts.unknownKinds, "unknownKinds", "sentences of unsupported types"),
            Skipped(counts.unreadFrames, "unreadFrames", "UBX frames of unsupported types"),
            Skipped(
                counts.sentencesWithoutFix, "sentencesWithoutFix",
                "sentences and frames in which the receiver reported no fix"),
            Skipped(
                counts.epochsWithoutFix, "epochsWithoutFix", "epochs for which the receiver reported no fix"),
            Skipped(counts.epochsWithoutDate, "epochsWithoutDate", "fixes before the receiver sent its date"),
            Skipped(counts.staleTimes, "staleTimes", "positions whose time stood still"),
            Skipped(counts.backwardTimes, "backwardTimes", "fixes whose time went back"),
            Skipped(counts.lateSentences, "lateSentences", "sentences that arrived after their epoch"),
            Skipped(counts.outOfRange, "outOfRange", "positions not on the globe, or with an impossible date"),
            Skipped(counts.otherDevices, "otherDevices", "sentences of other devices"),
            Skipped(counts.otherClocks, "otherClocks", "sentences of a clock that is hours off"),
        ]
    }

    static func skipped(_ input: SkippedInput) -> [Skipped] {
        let line = input.firstUnreadableLine.map { "; the first is line \($0)" } ?? ""
        let ending = input.ending.map { "line \($0.line): \($0.message)" } ?? ""
        return [
            Skipped(input.unreadableLines, "unreadableLines", "lines without a readable location\(line)"),
            Skipped(
                input.unreadablePoints, "unreadablePoints",
                "points whose position is missing, not a number or not on the globe"),
            Skipped(
                input.unreadableValues, "unreadableValues",
                "values that are not numbers or out of range; the points were used without them"),
            Skipped(
                input.unreadableTimes, "unreadableTimes", "times that cannot be read; the points were used without them"
            ),
            Skipped(input.sharedTimes, "sharedTimes", "points that all have the same time, which was ignored"),
            Skipped(input.reversedTimes, "reversedTimes", "points in reverse order of time, which was ignored"),
            Skipped(input.staleTimes, "staleTimes", "fixes with the time of the fix before"),
            Skipped(input.backwardTimes, "backwardTimes", "fixes whose time went back"),
            Skipped(ending.isEmpty ? 0 : 1, "ending", "missing end (\(ending))"),
        ]
    }
}

extension ReportLog.Skipped {
    fileprivate init(_ count: UInt64, _ key: String, _ text: String) {
        self.init(count: count, key: key, text: text)
    }
}
