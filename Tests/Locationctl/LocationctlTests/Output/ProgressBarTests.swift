import Testing

@testable import LocationctlSupport

struct ProgressBarTests {
    @Test func theLineFillsUp() {
        #expect(ProgressBar.line(percent: 0) == "[........................................] 0 %")
        #expect(ProgressBar.line(percent: 50) == "[####################....................] 50 %")
        #expect(ProgressBar.line(percent: 100) == "[########################################] 100 %")
    }
}
