import Logging
import TestSupport
import Testing

@testable import LocationCore

/// A PPS device that is missing, or is something else. Pulses themselves need hardware.
@Suite struct PulseDeviceTests {
    @Test(arguments: [
        ("/dev/nonexistent-pps", "there is no PPS device"), ("/dev/null", "is not a PPS device"),
        ("/etc/passwd", "is not a PPS device"), ("/dev/null/pps", "cannot read pulses from"),
    ])
    func whatIsNoDeviceIsExplainedOnce(path: String, expected: String) {
        let lines = RecordedLines()
        let device = PulseDevice(path: path, log: Logger(label: "test") { _ in RecordingLog(lines) })
        for _ in 0..<100 { #expect(device.lastPulse() == nil) }
        #expect(lines.all.count == 1)
        #expect(lines.all.first?.contains(expected) == true, "\(lines.all)")
    }
}
