import EventLoopSupport
import NIOCore
import Testing

struct TimeAmountTests {
    @Test(arguments: [(0, 0), (1, 1_000_000_000), (0.25, 250_000_000), (-1.5, -1_500_000_000)] as [(Double, Int64)])
    func aTimeThatFitsIsThatTime(seconds: Double, nanoseconds: Int64) {
        #expect(TimeAmount.clamping(seconds: seconds) == .nanoseconds(nanoseconds))
    }

    @Test(arguments: [9.22e9, 9.3e18, 1e300, .greatestFiniteMagnitude, .infinity] as [Double])
    func aTimeThatIsTooLongIsTheLongest(seconds: Double) {
        let longest = TimeAmount.clamping(seconds: TimeAmount.longestSeconds)
        #expect(TimeAmount.clamping(seconds: seconds) == longest)
        #expect(TimeAmount.clamping(seconds: -seconds) == .zero - longest)
        // The sum with any time of an event loop does not overflow.
        #expect(NIODeadline.now() + longest > NIODeadline.now())
    }

    @Test func noTimeIsZero() {
        #expect(TimeAmount.clamping(seconds: .nan) == .zero)
    }
}
