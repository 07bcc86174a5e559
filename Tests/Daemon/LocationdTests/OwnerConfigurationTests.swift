import LocationCore
import ServiceSupport
import Testing

@testable import LocationdCommand

/// The owner of a receiver's socket.
@Suite struct OwnerConfigurationTests {
    private func owner(_ text: String) throws -> UInt32? {
        let text = "[[receiver]]\nsource = \"socket:/run/g\"\nowner = \(text)\n"
        return try Configuration.parse(text, file: "a.toml").receiver?[0].entry.owner
    }

    @Test(
        arguments: [("0", 0), ("\"root\"", 0), ("4294967294", 4_294_967_294), ("\"1000\"", 1000)] as [(String, UInt32)])
    func aUserHasANameOrANumber(text: String, expected: UInt32) throws {
        #expect(try owner(text) == expected)
    }

    @Test(arguments: [
        ("\"no-such-user\"", "there is no user \"no-such-user\": use the name or the number of one"),
        ("4294967295", "4294967295 is not a user id: use a whole number from 0 to 4294967294"),
        ("-1", "-1 is not a user id"), ("\"4294967295\"", "there is no user \"4294967295\""),
    ])
    func noUserIsRefusedWithItsPlace(text: String, expected: String) {
        let error = #expect(throws: ConfigurationError.self) { try owner(text) }
        #expect(error?.description.hasPrefix("a.toml:3: receiver[0].owner: \(expected)") == true, "\(text)")
    }
}
