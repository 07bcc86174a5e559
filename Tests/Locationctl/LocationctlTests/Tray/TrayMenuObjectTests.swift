import Bus
import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import DesktopAgent
@testable import LocationctlSupport

/// The menu on the bus: numbers, properties, layouts, and changes.
@Suite struct TrayMenuObjectTests {
    private var object: TrayMenuObject { TrayMenuObject(TrayMenu(TraySamples.state)) }

    @Test func aLayoutHasTheWantedDepthAndProperties() throws {
        let object = object
        let whole = try object.layout(of: 0, depth: -1, names: [])
        #expect(whole.first == .uint32(1))
        guard case .structure(let root) = whole[1], case .array("v", let children) = root[2] else {
            Issue.record("\(whole)")
            return
        }
        #expect(root[0] == .int32(0) && root[1] == .properties([PropertyValue("children-display", .string("submenu"))]))
        #expect(children.count == object.menu.root.children.count)
        #expect(whole[1].signature == "(ia{sv}av)")
        // Without a depth, no children; with names, only these properties.
        let app = object.number(.app(TraySamples.maps))
        #expect(
            try object.layout(of: app, depth: 0, names: ["label", "nonsense"])[1]
                == .structure([
                    .int32(app), .properties([PropertyValue("label", .string("Maps"))]), .array(of: "v", []),
                ]))
        for depth in [Int32.min, -2, 1, .max] {
            #expect(throws: Never.self) { try object.layout(of: 0, depth: depth, names: []) }
        }
        for number in [Int32.min, -1, 999, .max] {
            #expect(throws: BusError.self) { try object.layout(of: number, depth: -1, names: []) }
        }
    }

    @Test func propertiesAreThoseOfTheSpecification() throws {
        let object = object
        let approximate = object.number(.approximate(TraySamples.maps))
        #expect(
            object.properties(of: [approximate, 4711], names: [])
                == .array(
                    of: "(ia{sv})",
                    [
                        .structure([
                            .int32(approximate),
                            .properties([
                                PropertyValue("label", .string("Approximate only")),
                                PropertyValue("toggle-type", .string("checkmark")),
                                PropertyValue("toggle-state", .int32(0)),
                            ]),
                        ])
                    ]))
        #expect(try object.property("enabled", of: object.number(.headline)) == .boolean(false))
        #expect(try object.property("type", of: object.number(.separator(2))) == .string("separator"))
        #expect(throws: BusError.self) { try object.property("enabled", of: approximate) }
        let whole = object.properties(of: [], names: [])
        guard case .array(_, let all) = whole else {
            Issue.record("\(whole)")
            return
        }
        #expect(all.count == object.menu.items.count)
    }

    /// An underscore would mark an access key.
    @Test func underscoresAreEscaped() throws {
        let object = TrayMenuObject(TrayMenu(TraySamples.state(names: ["_a__b", "_\u{301}c"])))
        let labels = object.menu.root.children.dropFirst().prefix(2).map(\.key)
        #expect(try object.property("label", of: object.number(labels[0])) == .string("__a____b"))
        #expect(try object.property("label", of: object.number(labels[1])) == .string("__\u{301}c"))
    }

    @Test func onlyWhatHasChangedIsSent() {
        var object = object
        #expect(object.change(to: TrayMenu(TraySamples.state)).isEmpty)
        // A reduced app: its check mark and its access.
        var state = TraySamples.state
        var apps = DashboardSamples.apps
        apps[0].decision?.accuracy = .reduced
        state.received(apps, TraySamples.on)
        let marked = object.change(to: TrayMenu(state))
        #expect(marked.map(\.member) == ["ItemsPropertiesUpdated"] && object.revision == 1)
        guard case .array("(ia{sv})", let items)? = marked.first?.arguments.first else {
            Issue.record("\(marked)")
            return
        }
        #expect(items.count == 2)
        // A grant that is gone: only the submenu of that app.
        apps[0].decision = DecisionSummary(level: .denied)
        state.received(apps, TraySamples.on)
        let number = object.number(.app(TraySamples.maps))
        let revoked = object.change(to: TrayMenu(state))
        #expect(revoked.map(\.member) == ["LayoutUpdated"])
        #expect(revoked.first?.arguments == [.uint32(2), .int32(number)])
        // An app that has ended: everything.
        state.received([])
        let ended = object.change(to: TrayMenu(state))
        #expect(ended.last?.arguments == [.uint32(3), .int32(0)])
    }

    /// A property that is back at its default is named as removed.
    @Test func defaultsAreRemoved() {
        var state = TraySamples.state
        state.received(DashboardSamples.apps, .init(machine: false, user: true))
        var object = TrayMenuObject(TrayMenu(state))
        let number = object.number(.services)
        let signals = object.change(to: TrayMenu(TraySamples.state))
        #expect(signals.map(\.member) == ["ItemsPropertiesUpdated"])
        #expect(
            signals.first?.arguments.last
                == .array(of: "(ias)", [.structure([.int32(number), .strings(["enabled"])])]))
    }

    /// Attack: an app ends while its user is about to click, and the click hits another app.
    @Test func noNumberIsGivenAgain() {
        var object = TrayMenuObject(TrayMenu(TraySamples.state))
        var seen: [Int32: TrayMenu.Key] = [:]
        for round in 0..<10 {
            let state = round % 2 == 0 ? TraySamples.state(names: ["A", "B"]) : TraySamples.state
            _ = object.change(to: TrayMenu(state))
            for number in 0...300 {
                guard let key = object.item(Int32(number))?.key else { continue }
                #expect(seen[Int32(number)] ?? key == key)
                seen[Int32(number)] = key
            }
        }
        #expect(object.number(.dashboard) > 0)
    }
}
