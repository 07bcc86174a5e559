import LocationModel
import Testing

@testable import AuthorizationPolicy

/// The shortening of texts in views.
@Suite struct ShownTextTests {
    @Test(arguments: [
        ("", ""), ("short", "short"), ("0123456789", "0123456789"), ("0123456789a", "0123…89a"),
        ("ääääääääää", "ää…ä"), ("😀😀😀😀😀", "😀…"),
    ])
    func theMiddleIsLeftOut(text: String, shortened: String) {
        let result = ShownText.shortened(text, toBytes: 10)
        #expect(result == shortened)
        #expect(result.utf8.count <= 10)
    }

    /// Attack: a single character of any number of bytes, which a limit in characters does not bound.
    @Test func marksThatPileUp() {
        let text = "a" + String(repeating: "\u{301}", count: 100_000)
        for limit in 3...600 {
            let result = ShownText.shortened(text, toBytes: limit)
            #expect(result.utf8.count <= limit && result.utf8.count >= limit - 3)
        }
    }
}
