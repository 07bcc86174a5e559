import Testing

@testable import LocationctlSupport

/// The protocols that the lists of apps and sessions name.
@Suite struct FrontTextTests {
    @Test(arguments: [
        ([], ""), (["varlink"], ""), (["gpsd"], "gpsd"), (["varlink", "gpsd", "geoclue"], "gpsd, geoclue"),
    ])
    func protocolsOfOthers(_ fronts: [String], _ text: String) {
        #expect(FrontText.foreign(fronts) == text)
    }
}
