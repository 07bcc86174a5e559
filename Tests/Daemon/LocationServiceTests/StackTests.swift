import CLinux
import Glibc
import TestSupport
import Testing

/// The memory of the calling thread's stack.
@Suite struct StackTests {
    /// Uses a kilobyte of stack for each step. Returns the address of the deepest one.
    @inline(never)
    private func deepestAddress(_ steps: Int) -> UInt {
        var block = InlineArray<1024, UInt8>(repeating: UInt8(truncatingIfNeeded: steps))
        let address = withUnsafeMutableBytes(of: &block) { UInt(bitPattern: $0.baseAddress) }
        guard steps > 0 else { return address }
        let deepest = deepestAddress(steps - 1)
        return block[steps] == UInt8(truncatingIfNeeded: steps) ? deepest : 0
    }

    private func isResident(_ page: UInt) throws -> Bool {
        var state: UInt8 = 0
        let status = mincore(UnsafeMutableRawPointer(bitPattern: page), Int(getpagesize()), &state)
        try #require(status == 0)
        return state & 1 != 0
    }

    @Test func onlyItsUnusedPartIsGivenBack() throws {
        let numbers = InlineArray<64, Int> { $0 }
        let page = deepestAddress(200) & ~UInt(getpagesize() - 1)
        #expect(try isResident(page))
        memory_give_back()
        // AddressSanitizer keeps what a function's variables hold in a block of its own, off the stack.
        if !Sanitizer.isRunning { #expect(try !isResident(page)) }
        for index in numbers.indices { #expect(numbers[index] == index) }
    }
}
