import Testing

@testable import GPSDFront

@Suite struct DeviceListTests {
    private func changes(from before: [ListedDevice], to after: [ListedDevice]) -> [String] {
        DeviceList(after).changes(since: DeviceList(before)).map { $0.line.lines[0] }
    }

    @Test func receiversComeAndGo() {
        let (idle, active) = (Samples.device(active: false), Samples.device())
        let gone = #"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":0}"#
        #expect(changes(from: [active], to: [active]) == [])
        #expect(changes(from: [], to: [idle]) == [])
        #expect(changes(from: [idle], to: [active]).map { $0.contains(#""activated":"2026"#) } == [true])
        #expect(changes(from: [active], to: [idle]) == [gone])
        #expect(changes(from: [active], to: []) == [gone])
        #expect(changes(from: [active], to: [Samples.device(1)]).count == 2)
    }

    @Test func paths() {
        let list = DeviceList([Samples.device(), Samples.device(1)])
        #expect(list.path(ofReceiver: "ttyUSB1") == "/dev/ttyUSB1")
        #expect(list.path(ofReceiver: nil) == "/dev/ttyUSB0")
        #expect(DeviceList([]).path(ofReceiver: "ttyUSB1") == nil)
        // Two names that are equal for Swift are two devices.
        var (composed, combining) = (Samples.device(), Samples.device(1))
        (composed.receiver, combining.receiver) = ("caf\u{e9}", "cafe\u{301}")
        #expect(DeviceList([composed, combining]).path(ofReceiver: "cafe\u{301}") == "/dev/ttyUSB1")
        combining.id = 0
        combining.path = composed.path
        #expect(composed != combining)
        #expect(DeviceList([]).noFix.lines == [#"{"class":"TPV","mode":1}"#])
    }
}
