/// The places where a line may end within Chinese and Japanese, which have no spaces: a part of Unicode's Standard
/// Annex 14. Korean has spaces.
enum LineBreaks {
    /// The marks that begin no line: those that close, long vowels, small kana.
    private static let closing: Set<Character> = Set(
        "、。，．：；！？）」』】〉》〕］｝・ー々ゝゞぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ…,.:;!?)]}%\"'`”’\u{2069}")
    /// The marks that end no line.
    private static let opening: Set<Character> = Set("（「『【〈《〔［｛([{\"'`“‘\u{2068}")

    /// Returns the parts of a word without spaces; a line may end after each.
    static func parts(of word: Substring) -> [Substring] {
        var parts: [Substring] = []
        var start = word.startIndex
        for (index, next) in zip(word.indices, word.indices.dropFirst()) {
            let (before, after) = (word[index], word[next])
            guard isIdeographic(before) || isIdeographic(after), !opening.contains(before), !closing.contains(after)
            else { continue }
            parts.append(word[start..<next])
            start = next
        }
        return parts + [word[start...]]
    }

    private static func isIdeographic(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x2E80...0x312F, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFF60,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
