import Bytewise
import TestSupport
import Testing

struct BytewiseStringTests {
    /// Attack: two names are equal as Swift strings, but differ in the file system.
    @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("\u{212A}", "K"), ("a\u{301}\u{316}", "a\u{316}\u{301}")])
    func canonicallyEquivalentIsNotEqual(_ a: String, _ b: String) {
        #expect(a == b)
        #expect(BytewiseString(a) != BytewiseString(b))
        #expect(Set([BytewiseString(a), BytewiseString(b)]).count == 2)
        #expect(!a.isBytewiseEqual(to: b))
        #expect(a.isBytewiseEqual(to: String(decoding: Array(a.utf8), as: UTF8.self)))
    }

    @Test func equalBytesAreEqual() {
        let name = BytewiseString("exe:/usr/bin/caf\u{E9}")
        #expect(name == BytewiseString(String(decoding: Array(name.text.utf8), as: UTF8.self)))
        #expect(name.hashValue == BytewiseString(String(decoding: Array(name.text.utf8), as: UTF8.self)).hashValue)
        #expect(name == "exe:/usr/bin/caf\u{E9}")
    }

    @Test func theOrderIsThatOfTheBytes() {
        var random = SeededRandom(seed: 20_261_121)
        let scalars: [Unicode.Scalar] = ["a", "b", "\u{301}", "\u{E9}", "\u{20AC}", "\u{1F600}"]
        let names = (0..<200).map { _ in
            String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 0...5, using: &random)).map { _ in scalars.randomElement(using: &random)! }))
        }
        for (a, b) in zip(names, names.dropFirst()) {
            #expect((BytewiseString(a) < BytewiseString(b)) == Array(a.utf8).lexicographicallyPrecedes(Array(b.utf8)))
        }
    }

    @Test func aPrefixEndsBetweenTwoScalars() {
        let text = "a\u{E9}\u{20AC}\u{1F600}"
        let lengths = (0...11).map { text.prefix(bytes: $0).utf8.count }
        #expect(lengths == [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10])
        for length in lengths { #expect(Array(text.prefix(bytes: length).utf8) == Array(text.utf8.prefix(length))) }
    }
}
