internal import Bus
internal import LocationctlSupport

extension TrayStateMachine {
    /// The signatures of the supported calls. The arguments of other calls are not read.
    static let signatures: Set<String> = [
        "i", "ai", "ii", "is", "s", "ss", "iias", "aias", "isvu", "a(isvu)",
    ]

    /// Answers a call. Returns the values of the reply or an error, and the resulting actions.
    mutating func receive(_ call: MethodCall, at time: Double) -> (Result<[BusValue], BusError>, [Action]) {
        var actions: [Action] = []
        do throws(BusError) {
            return (.success(try answer(call, at: time, &actions)), actions)
        } catch {
            return (.failure(error), actions)
        }
    }

    private mutating func answer(
        _ call: MethodCall, at time: Double, _ actions: inout [Action]
    ) throws(BusError) -> [BusValue] {
        guard let document = TrayIntrospection.document(at: call.path) else { throw .unknownObject }
        switch call.interface {
        case "org.freedesktop.DBus.Peer" where call.member == "Ping": return []
        case "org.freedesktop.DBus.Introspectable" where call.member == "Introspect": return [.string(document)]
        case "org.freedesktop.DBus.Properties": return [try property(call)]
        case TrayItemObject.interface where call.path == TrayItemObject.path:
            return try answerItem(call, at: time, &actions)
        case TrayMenuObject.interface where call.path == TrayMenuObject.path:
            return try answerMenu(call, at: time, &actions)
        default: throw .unknownInterface
        }
    }

    // MARK: Properties

    private func property(_ call: MethodCall) throws(BusError) -> BusValue {
        switch (call.member, call.arguments.first, call.arguments.last) {
        case ("GetAll", .string(let interface)?, _) where call.arguments.count == 1:
            return .properties(try properties(of: interface, at: call.path))
        case ("Get", .string(let interface)?, .string(let name)?) where call.arguments.count == 2:
            let properties = try properties(of: interface, at: call.path)
            guard let property = properties.first(where: { $0.name == name }) else { throw .unknownProperty }
            return .variant(property.value)
        case ("Set", _, _): throw .readOnly
        case ("Get", _, _): throw .invalidArguments(expected: "ss")
        case ("GetAll", _, _): throw .invalidArguments(expected: "s")
        default: throw .unknownMethod
        }
    }

    private func properties(of interface: String, at path: String) throws(BusError) -> [PropertyValue] {
        switch (path, interface) {
        case (TrayItemObject.path, TrayItemObject.interface): return item.properties
        case (TrayMenuObject.path, TrayMenuObject.interface):
            let direction = DisplayText.isRightToLeft(translated("Location services")) ? "rtl" : "ltr"
            return [
                PropertyValue("Version", .uint32(3)), PropertyValue("TextDirection", .string(direction)),
                PropertyValue("Status", .string("normal")), PropertyValue("IconThemePath", .strings([])),
            ]
        default: throw .unknownInterface
        }
    }

    // MARK: Methods

    /// Answers a call of the item. Hosts that cannot show the menu make such calls.
    private mutating func answerItem(
        _ call: MethodCall, at time: Double, _ actions: inout [Action]
    ) throws(BusError) -> [BusValue] {
        switch (call.member, call.arguments.count) {
        case ("Activate", 2): actions = openDashboard(at: time)
        case ("SecondaryActivate", 2), ("ContextMenu", 2), ("Scroll", 2): break
        case ("Activate", _), ("SecondaryActivate", _), ("ContextMenu", _): throw .invalidArguments(expected: "ii")
        case ("Scroll", _): throw .invalidArguments(expected: "is")
        default: throw .unknownMethod
        }
        return []
    }

    private mutating func answerMenu(
        _ call: MethodCall, at time: Double, _ actions: inout [Action]
    ) throws(BusError) -> [BusValue] {
        let arguments = call.arguments
        switch call.member {
        case "GetLayout":
            guard arguments.count == 3, let number = arguments[0].number, case .int32(let depth) = arguments[1],
                case .strings(let names) = arguments[2]
            else { throw .invalidArguments(expected: "iias") }
            return try menu.layout(of: number, depth: depth, names: names)
        case "GetGroupProperties":
            guard arguments.count == 2, let numbers = arguments[0].numbers, case .strings(let names) = arguments[1]
            else { throw .invalidArguments(expected: "aias") }
            return [menu.properties(of: numbers, names: names)]
        case "GetProperty":
            guard arguments.count == 2, let number = arguments[0].number, case .string(let name) = arguments[1]
            else { throw .invalidArguments(expected: "is") }
            return [.variant(try menu.property(name, of: number))]
        case "Event":
            guard let event = Event(arguments) else { throw .invalidArguments(expected: "isvu") }
            guard let following = self.event(event.number, event.name, at: time) else {
                throw TrayMenuObject.noSuchItem
            }
            actions = following
            return []
        case "EventGroup":
            guard let events = Event.group(arguments) else { throw .invalidArguments(expected: "a(isvu)") }
            var unknown: [BusValue] = []
            for event in events {
                if let following = self.event(event.number, event.name, at: time) {
                    actions += following
                } else {
                    unknown.append(.int32(event.number))
                }
            }
            return [.array(of: "i", unknown)]
        case "AboutToShow":
            guard arguments.count == 1, let number = arguments[0].number else {
                throw .invalidArguments(expected: "i")
            }
            guard menu.item(number) != nil else { throw TrayMenuObject.noSuchItem }
            actions = aboutToShow(at: time)
            return [.boolean(false)]
        case "AboutToShowGroup":
            guard arguments.count == 1, let numbers = arguments[0].numbers else {
                throw .invalidArguments(expected: "ai")
            }
            actions = aboutToShow(at: time)
            let unknown = numbers.filter { menu.item($0) == nil }
            return [.array(of: "i", []), .array(of: "i", unknown.map { .int32($0) })]
        default: throw .unknownMethod
        }
    }

    /// An event of a menu item. Its data and its time are not used.
    private struct Event {
        let number: Int32
        let name: String

        init?(_ arguments: [BusValue]) {
            guard arguments.count == 4, let number = arguments[0].number, case .string(let name) = arguments[1] else {
                return nil
            }
            self.number = number
            self.name = name
        }

        /// Returns the events in the argument of EventGroup, or `nil` if it cannot be read.
        static func group(_ arguments: [BusValue]) -> [Event]? {
            guard arguments.count == 1, case .array("(isvu)", let values) = arguments[0] else { return nil }
            return values.compactMap { if case .structure(let fields) = $0 { Event(fields) } else { nil } }
        }
    }
}

extension BusValue {
    fileprivate var number: Int32? { if case .int32(let number) = self { number } else { nil } }

    fileprivate var numbers: [Int32]? {
        if case .array("i", let values) = self { values.compactMap(\.number) } else { nil }
    }
}
