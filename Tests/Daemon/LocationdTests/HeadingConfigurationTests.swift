import LocationCore
import ServiceSupport
import Testing

@testable import LocationdCommand

/// The offset of a receiver's headings.
@Suite struct HeadingConfigurationTests {
    private func offset(_ lines: String, source: String = "serial:/dev/ttyS0") throws -> Double? {
        let text = "[[receiver]]\nsource = \"\(source)\"\n\(lines)"
        return try Configuration.parse(text, file: "a.toml").receiver?[0].entry.headingOffset
    }

    @Test(arguments: [("0", 0), ("-90", -90), ("90.5", 90.5), ("360", 360), ("-360.0", -360)] as [(String, Double)])
    func theOffsetIsANumberOfDegrees(text: String, expected: Double) throws {
        #expect(try offset("heading-offset = \(text)\n") == expected)
    }

    @Test(arguments: ["gpsd:", "socket:/run/g", "simulated", "replay:/tmp/a.nmea", "modem:"])
    func anyReceiverMayHaveIt(source: String) throws {
        #expect(try offset("heading-offset = 90\n", source: source) == 90)
        #expect(try offset("", source: source) == 0)
    }

    @Test(arguments: [
        ("361", "receiver[0].heading-offset: 361.0 is out of range: use a number of degrees from -360 to 360"),
        ("-1e300", "is out of range"), ("nan", "is out of range"), ("inf", "is out of range"),
        ("\"90\"", "receiver[0].heading-offset: the value must be a number"),
    ])
    func aMistakeIsRefusedWithItsPlace(text: String, expected: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try offset("heading-offset = \(text)\n") }
        #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
    }

    @Test func aFixedPlaceHasNone() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try offset("heading-offset = 90\n", source: "fixed:1,2")
        }
        #expect(
            error?.description.contains("heading-offset: a fixed place has no heading: leave heading-offset out")
                == true)
    }
}
