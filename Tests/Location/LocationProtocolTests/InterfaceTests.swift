import Bytewise
import LocationModel
import Testing
import Varlink

@testable import LocationProtocol

/// The agreement of the interface definitions and the Swift types.
@Suite struct InterfaceTests {
    /// Every method that has types here.
    private let location: [any VarlinkMethod.Type] = [
        GetAuthorization.self, RequestAuthorization.self, RequestTemporaryFullAccuracy.self, SetBackground.self,
        Subscribe.self, GetLocation.self, Record.self,
        MonitorSignificantChanges.self, StartMonitoringRegion.self, StopMonitoringRegion.self, ListRegions.self,
        MonitorRegions.self, GetRegionState.self, MonitorVisits.self, GetCompass.self,
        MonitorHeading.self, GetGeocoder.self, RangeBeacons.self, GetRanging.self,
        StartMonitoringBeaconRegion.self,
    ]
    private let manage: [any VarlinkMethod.Type] = [
        ListApps.self, Grant.self, Deny.self, Revoke.self, Reset.self, GetServices.self, SetServices.self,
        ListSessions.self, ListReceivers.self, ListSatellites.self, Simulate.self,
        StopSimulation.self, ListPlaces.self, ClearPlaces.self, GetRememberedPlaces.self,
        ForgetRememberedPlaces.self, MonitorPrompts.self, AnswerPrompt.self,
        GetIndicator.self, GetAccessLog.self,
        GetStatistics.self,
    ]

    @Test func theLocationInterfaceIsThatOfTheTypes() throws {
        let interface = try InterfaceDescription(parsing: LocationInterface.definition)
        #expect(interface.name == LocationInterface.name)
        for method in location { try check(method, in: interface) }
    }

    @Test func theManageInterfaceIsThatOfTheTypes() throws {
        let interface = try InterfaceDescription(parsing: ManageInterface.definition)
        #expect(interface.name == ManageInterface.name)
        for method in manage { try check(method, in: interface) }
    }

    @Test func theGeocodersInterfaceIsThatOfTheTypes() throws {
        let interface = try InterfaceDescription(parsing: GeocoderInterface.definition)
        #expect(interface.name == GeocoderInterface.name)
        try check(Geocode.self, in: interface)
        try check(ReverseGeocode.self, in: interface)
    }

    private func check<M: VarlinkMethod>(_ method: M.Type, in interface: InterfaceDescription) throws {
        let definition = try #require(interface.method(M.name), "\(M.qualifiedName) is not in the definition")
        try check(M.Parameters.self, is: .structure(definition.input), in: interface, "\(M.name) in")
        try check(M.Reply.self, is: .structure(definition.output), in: interface, "\(M.name) out")
    }

    /// Checks that values which the definition allows can be decoded, and encode to the same values. A field that the
    /// type lacks would be lost. A field that the type requires and the definition lacks would fail to decode. A wrong
    /// type would do either.
    private func check<T: Codable>(
        _ type: T.Type, is definition: VarlinkType, in interface: InterfaceDescription, _ what: String
    ) throws {
        let samples = Samples(interface: interface)
        let whole = samples.values(of: definition, optionals: true)
        for value in whole + samples.values(of: definition, optionals: false) {
            let decoded = try #require(try? value.decoded(as: T.self), "\(what): \(value) does not decode")
            #expect(try encoded(decoded) == value, "\(what)")
        }
        let fields = Set(Mirror(reflecting: try whole[0].decoded(as: T.self)).children.compactMap(\.label))
        if case .structure(let defined) = definition {
            #expect(fields == Set(defined.map(\.name)), "\(what): fields")
        }
    }

    private func encoded(_ value: some Encodable) throws -> JSONValue {
        var writer = JSONWriter()
        try writer.value(encoding: value)
        return try JSONValue(parsing: writer.bytes.span)
    }
}

/// Generates values of a type of an interface: enough of them to contain every case of every enumeration.
private struct Samples {
    let interface: InterfaceDescription

    func values(of type: VarlinkType, optionals: Bool) -> [JSONValue] {
        switch type {
        case .bool: [true, false]
        case .int: [7]
        case .float: [2.5]
        case .string: [.string("2026-11-21T03:04:05.678Z")]
        case .object: [[:]]
        case .any: [.null]
        case .named(let name): values(of: interface.type(name)!.type, optionals: optionals)
        case .array(let element): [.array(values(of: element, optionals: optionals))]
        case .map(let element): [.object(["key": values(of: element, optionals: optionals)[0]])]
        case .optional(let wrapped): optionals ? values(of: wrapped, optionals: true) : []
        case .enumeration(let cases): cases.map(JSONValue.string)
        case .structure(let fields):
            structures(fields.map { ($0.name, values(of: $0.type, optionals: optionals)) }.filter { !$0.1.isEmpty })
        }
    }

    /// Returns as many structures as the field with the most values has values. Fields with fewer repeat theirs.
    private func structures(_ fields: [(name: String, values: [JSONValue])]) -> [JSONValue] {
        (0..<max(1, fields.map(\.values.count).max() ?? 1)).map { index in
            let members = fields.map { (BytewiseString($0.name), $0.values[index % $0.values.count]) }
            return .object(Dictionary(uniqueKeysWithValues: members))
        }
    }
}
