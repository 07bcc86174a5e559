import LocationCore
import ServiceSupport
import Testing

@testable import LocationdCommand

/// The table `[time]`, and the delay of a receiver.
@Suite struct TimeConfigurationTests {
    private func configuration(_ files: String...) throws -> Configuration {
        var configuration = Configuration()
        for file in files { configuration.merge(try Configuration.parse(file, file: "a.toml")) }
        return configuration
    }

    @Test func theTimeIsPassedOnOnlyIfConfigured() throws {
        #expect(try configuration("").time == nil)
        let plain = try configuration("[time]\nchrony-socket = \"/run/chrony.locationd.sock\"\n")
        #expect(plain.time == TimeSettings(chronySocket: "/run/chrony.locationd.sock"))
        let whole = try configuration(
            "[time]\nchrony-socket = \"/a\"\npps = \"/dev/pps0\"\nchrony-pps-socket = \"/b\"\n")
        #expect(whole.time == TimeSettings(chronySocket: "/a", pulseDevice: "/dev/pps0", pulseSocket: "/b"))
    }

    @Test func aLaterTableReplacesTheWhole() throws {
        let merged = try configuration(
            "[time]\nchrony-socket = \"/a\"\npps = \"/dev/pps0\"\n", "log-level = \"info\"\n",
            "[time]\nchrony-socket = \"/b\"\n")
        #expect(merged.time == TimeSettings(chronySocket: "/b"))
    }

    @Test(arguments: [("0", 0.0), ("0.12", 0.12), ("1", 1), ("10", 10), ("10.0", 10), ("5e-1", 0.5)])
    func theDelayIsANumberOfSeconds(text: String, expected: Double) throws {
        let receiver = try configuration("[[receiver]]\nsource = \"serial:/dev/ttyS0\"\ndelay = \(text)\n").receivers[0]
        #expect(receiver.delay == expected)
    }

    @Test(arguments: [
        ("[time]\n", "a.toml:1: time.chrony-socket: the key is missing"),
        ("[time]\npps = \"/dev/pps0\"\n", "time.chrony-socket: the key is missing"),
        ("[time]\nchrony-socket = \"chrony.sock\"\n", "a.toml:2: time.chrony-socket: \"chrony.sock\" is not the path"),
        ("[time]\nchrony-socket = \"\"\n", "a.toml:2: time.chrony-socket: \"\" is not the path of a socket"),
        ("[time]\nchrony-socket = \"/\(String(repeating: "x", count: 107))\"\n", "at most 107 bytes"),
        ("[time]\nchrony-socket = true\n", "a.toml:2: time.chrony-socket: the value must be a text in quotes"),
        (
            "[time]\nchrony-socket = \"/a\"\npps = \"pps0\"\n",
            "a.toml:3: time.pps: \"pps0\" is not the path of a device"
        ),
        (
            "[time]\nchrony-socket = \"/a\"\nchrony-pps-socket = \"/b\"\n",
            "a.toml:3: time.chrony-pps-socket: there are no pulses without pps"
        ),
        (
            "[time]\nchrony-socket = \"/a\"\npps = \"/dev/pps0\"\nchrony-pps-socket = \"/a\"\n",
            "a.toml:4: time.chrony-pps-socket: chrony needs a socket of its own"
        ),
        ("[time]\nchrony-socket = \"/a\"\nntp = true\n", "a.toml:3: unknown key time.ntp"),
        (
            "[[receiver]]\nsource = \"serial:/dev/ttyS0\"\ndelay = -0.1\n",
            "a.toml:3: receiver[0].delay: -0.1 is out of range"
        ),
        ("[[receiver]]\nsource = \"serial:/dev/ttyS0\"\ndelay = 10.5\n", "use a number of seconds from 0 to 10"),
        ("[[receiver]]\nsource = \"serial:/dev/ttyS0\"\ndelay = nan\n", "nan is out of range"),
        (
            "[[receiver]]\nsource = \"serial:/dev/ttyS0\"\ndelay = \"0.1\"\n",
            "receiver[0].delay: the value must be a number"
        ),
        ("[[receiver]]\nsource = \"gpsd:\"\ndelay = 0.1\n", "a.toml:3: receiver[0].delay: only the time of a receiver"),
    ])
    func aMistakeIsRefusedWithItsPlace(text: String, expected: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try configuration(text) }
        #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
    }

    @Test func changesNeedARestart() throws {
        let none = try configuration("")
        let some = try configuration("[time]\nchrony-socket = \"/a\"\npps = \"/p\"\nchrony-pps-socket = \"/b\"\n")
        #expect(some.keysThatNeedRestart(since: some).isEmpty)
        let keys = ["time.chrony-socket", "time.pps", "time.chrony-pps-socket"]
        #expect(some.keysThatNeedRestart(since: none) == keys)
        #expect(none.keysThatNeedRestart(since: some) == keys)
    }
}
