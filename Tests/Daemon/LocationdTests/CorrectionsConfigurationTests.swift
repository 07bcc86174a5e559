import LocationCore
import ReceiverSettings
import ServiceSupport
import Testing

@testable import LocationdCommand

/// The owner's word about corrections for a receiver.
@Suite struct CorrectionsConfigurationTests {
    private func profile(_ lines: String, source: String = "serial:/dev/ttyS0") throws -> ReceiverProfile? {
        let text = "[[receiver]]\nsource = \"\(source)\"\n\(lines)"
        return try Configuration.parse(text, file: "a.toml").receiver?[0].entry.profile
    }

    @Test(
        arguments: [
            ("", nil), ("corrections = false\n", nil), ("profile = \"auto\"\n", ReceiverProfile()),
            ("corrections = true\n", ReceiverProfile(nil, takesCorrections: true)),
            ("profile = \"ublox\"\ncorrections = false\n", ReceiverProfile(.ublox, takesCorrections: false)),
            ("profile = \"quectel\"\ncorrections = true\n", ReceiverProfile(.quectel, takesCorrections: true)),
        ] as [(String, ReceiverProfile?)])
    func aReceiverWithoutAProfileGetsNothingElse(text: String, expected: ReceiverProfile?) throws {
        #expect(try profile(text) == expected)
    }

    @Test(arguments: [
        ("corrections = true\n", "gpsd:", "receiver[0].corrections: only a receiver at a serial port gets corrections"),
        ("corrections = true\ninterval = 1\n", "serial:/dev/ttyS0", "only with a profile"),
        ("corrections = \"yes\"\n", "serial:/dev/ttyS0", "receiver[0].corrections"),
    ])
    func aMistakeIsRefusedWithItsPlace(text: String, source: String, expected: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try profile(text, source: source) }
        #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
    }
}
