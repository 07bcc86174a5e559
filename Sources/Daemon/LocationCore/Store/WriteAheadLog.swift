internal import Glibc

/// A check of SQLite's journal by the journal's own checksums (sqlite.org/fileformat2.html, section 4).
///
/// Attack, or accident: SQLite reads the journal up to the first frame that is not sound, and treats the rest as
/// unfinished. If a revocation was in the rest, the grant is back. Losing the last transaction in a power cut is
/// legitimate: its commit was never acknowledged. Losing an earlier one is corruption: it was on the disk when the
/// next one began.
enum WriteAheadLog {
    /// Throws `Store.Refusal.damage` if finished transactions can no longer be read, or if the journal has lost its
    /// database: SQLite would then delete the journal.
    static func check(_ path: String) throws(Store.Refusal) {
        guard let file = fopen(path + "-wal", "re") else { return }
        defer { fclose(file) }
        guard let header = read(32, of: file) else { return }
        if (Store.size(path) ?? 0) == 0 { throw .damage("the database is missing or empty, but its journal is not") }
        // Space that was allocated, and lost its content with the power. No transaction was finished in it.
        if header.allSatisfy({ $0 == 0 }) { return }
        let magic = word(header, 0, bigEndian: true)
        let pageSize = Int(word(header, 8, bigEndian: true))
        let isBigEndian = magic == 0x377f_0683
        guard isBigEndian || magic == 0x377f_0682, (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0
        else { throw .damage("the journal has no header") }
        var sum = Checksum(isBigEndian: isBigEndian)
        sum.add(header[0..<24])
        guard sum.matches(header, at: 24) else { throw .damage("the journal's header is damaged") }

        var isSound = true
        var lostCommits = 0
        while let frame = read(24 + pageSize, of: file) {
            // Other frames are left from before the journal was restarted.
            let isCurrentGeneration = frame[8..<16] == header[16..<24]
            if isSound {
                sum.add(frame[0..<8])
                sum.add(frame[24...])
                isSound = isCurrentGeneration && sum.matches(frame, at: 16)
            }
            if !isSound, isCurrentGeneration, word(frame, 4, bigEndian: true) != 0 { lostCommits += 1 }
        }
        if lostCommits > 1 { throw .damage("the journal is damaged") }
    }

    /// Returns that many bytes, or `nil` if fewer are left.
    private static func read(_ count: Int, of file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            length = fread(buffer.baseAddress, 1, count, file)
        }
        return bytes.count == count ? bytes : nil
    }

    fileprivate static func word(_ bytes: [UInt8], _ offset: Int, bigEndian: Bool) -> UInt32 {
        let word = bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return bigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }

    /// SQLite's checksum over pairs of words, in the byte order that the header names.
    private struct Checksum {
        let isBigEndian: Bool
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        init(isBigEndian: Bool) {
            self.isBigEndian = isBigEndian
        }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            let bytes = bytes.span.bytes
            for offset in stride(from: 0, to: bytes.byteCount, by: 8) {
                let words = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD2<UInt32>.self)
                let (x, y) = isBigEndian ? (UInt32(bigEndian: words.x), UInt32(bigEndian: words.y)) : (words.x, words.y)
                first = first &+ x &+ second
                second = second &+ y &+ first
            }
        }

        /// Returns whether the checksum is the one stored at `offset`.
        func matches(_ bytes: [UInt8], at offset: Int) -> Bool {
            first == WriteAheadLog.word(bytes, offset, bigEndian: true)
                && second == WriteAheadLog.word(bytes, offset + 4, bigEndian: true)
        }
    }
}
