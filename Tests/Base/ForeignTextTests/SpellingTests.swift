import Testing

@testable import ForeignText

/// Mistyped words.
@Suite struct SpellingTests {
    private let names = ["log-level", "discover", "receiver[].source", "receiver[].name", "time.chrony-socket"]

    @Test(arguments: [
        ("log-levl", "log-level"), ("dicsover", "discover"), ("disco", "discover"),
        ("receiver[].sourec", "receiver[].source"), ("time.chrony_socket", "time.chrony-socket"),
    ])
    func aNameThatIsMeant(word: String, name: String) {
        #expect(Spelling.nearest(to: word, among: names) == name)
    }

    @Test(arguments: ["", "colour", "receiver[].", String(repeating: "a", count: 100_000), "地図"])
    func aWordLikeNone(word: String) {
        #expect(Spelling.nearest(to: word, among: names) == nil)
    }

    @Test(arguments: [
        ("", "", 0), ("", "ab", 2), ("ab", "", 2), ("ab", "ba", 1), ("statsu", "status", 1), ("a", "b", 1),
    ])
    func distances(first: String, second: String, distance: Int) {
        #expect(Spelling.distance(Array(first), Array(second)) == distance)
    }
}
