import Testing

@testable import LocationctlCommands

/// Numbers on the command line.
@Suite struct NumberArgumentTests {
    @Test(arguments: [
        ("watch --distance-filter -5", "watch --distance-filter=-5"),
        ("watch --distance-filter -.5 -n 3", "watch --distance-filter=-.5 -n 3"),
        ("watch -n -5", "watch -n -5"), ("watch --json -- -5", "watch --json -- -5"),
        ("get --timeout=3 -5", "get --timeout=3 -5"), ("get --timeout -x", "get --timeout -x"), ("", ""),
    ])
    func aNegativeNumberBelongsToTheOptionBeforeIt(line: String, expected: String) {
        func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        #expect(NumberArgument.joined(words(line)) == words(expected))
    }

    @Test(arguments: [
        ("locationctl: the value '5m' is invalid for '--duration <s>'", " of seconds"),
        ("locationctl: the value '1.5 km' is invalid for '--distance-filter <m>'", " of metres"),
        ("locationctl: the value '5s' is invalid for '-n <count>'", ""),
    ])
    func aUnitIsRemarkedOn(message: String, what: String) {
        #expect(NumberArgument.unitRemark(about: message) == "write the number\(what) alone, without a unit")
    }

    @Test(arguments: [
        "locationctl: the value 'soon' is invalid for '--duration <s>'",
        "locationctl: missing value for '--duration <s>'",
        "locationctl: the value '5' is invalid for '--format <format>'", "locationctl: there is no command \"5m\"", "",
    ])
    func otherMessagesAreNotRemarkedOn(message: String) { #expect(NumberArgument.unitRemark(about: message) == nil) }
}
