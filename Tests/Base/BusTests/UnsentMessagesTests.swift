import Testing

@testable import Bus

@Suite struct UnsentMessagesTests {
    @Test func theSizeIsThatOfTheMessagesThatAreLeft() {
        var unsent = UnsentMessages()
        for size in [5, 7, 11] { unsent.append(size) }
        unsent.keepLast(2)
        #expect(unsent.size == 18)
        unsent.keepLast(3)
        #expect(unsent.size == 18)
        unsent.keepLast(0)
        #expect(unsent.size == 0 && unsent.isEmpty)
    }
}
