import Bytewise
import Testing
import Varlink

struct InterfaceDescriptionTests {
    @Test func everythingOfTheLanguage() throws {
        let text = """
            # Licence

            # What it is for.
            #   Indented.
            interface org.example-1.more.x2

            # A kind.
            type Kind (one, two_b)
            type Nothing ()
            type Item (
              # Its name.
              name: string,
              kind: ?Kind, # not documentation
              tags: []string,
              map: [string]?int,
              set: [string](),
              inline: (a: bool, b: (x, y)),
              deep: ?[][string](v: float),
              anything: object,
              really: any
            )
            # Does.
            method Do(item: Item)->(ok:bool)
            method Nop() -> ()
            error Bad (why: string)
            error Empty ()
            """
        let interface = try InterfaceDescription(parsing: text)
        #expect(interface.text == text)
        #expect(interface.name == "org.example-1.more.x2")
        #expect(interface.documentation == "What it is for.\n  Indented.")
        #expect(interface.types.map(\.name) == ["Kind", "Nothing", "Item"])
        #expect(interface.type("Kind")?.type == .enumeration(["one", "two_b"]))
        #expect(interface.type("Kind")?.documentation == "A kind.")
        #expect(interface.type("Nothing")?.type == .structure([]))
        guard case .structure(let fields)? = interface.type("Item")?.type else {
            Issue.record("Item is no struct")
            return
        }
        #expect(fields.map(\.name) == ["name", "kind", "tags", "map", "set", "inline", "deep", "anything", "really"])
        #expect(fields.map(\.documentation) == ["Its name."] + Array(repeating: "", count: 8))
        #expect(fields[1].type == .optional(.named("Kind")))
        #expect(fields[3].type == .map(.optional(.int)))
        #expect(fields[4].type == .map(.structure([])))
        #expect(
            fields[6].type
                == .optional(.array(.map(.structure([.init(name: "v", type: .float)])))))
        #expect(fields[7].type == .object)
        #expect(fields[8].type == .any)
        #expect(interface.methods.map(\.name) == ["Do", "Nop"])
        #expect(interface.method("Do")?.documentation == "Does.")
        #expect(interface.method("Do")?.output.map(\.type) == [.bool])
        #expect(interface.method("Nop")?.input == [])
        #expect(interface.errors.map(\.name) == ["Bad", "Empty"])
        #expect(interface.error("Bad")?.fields.map(\.name) == ["why"])
    }

    @Test func withoutItsText() throws {
        let text = "# About.\ninterface a.b\n# Does.\nmethod A() -> (\n  # C.\n  c: int\n)\n"
        let interface = try InterfaceDescription(parsing: text, keepsText: false)
        let uncommented = try InterfaceDescription(parsing: "interface a.b\nmethod A() -> (c: int)\n")
        #expect(interface.methods == uncommented.methods)
        #expect(interface.documentation == "" && interface.text == "")
    }

    @Test(arguments: [
        ("", 1), ("method A() -> ()", 1), ("interface", 1), ("interface example", 1), ("interface 1a.b", 1),
        ("interface a..b", 1), ("interface a.b-", 1), ("interface a.-b", 1), ("interface a.b;", 1),
        ("interface a.b\nmethod", 2), ("interface a.b\nmethod lower() -> ()", 2), ("interface a.b\n\nmethod A()", 3),
        ("interface a.b\nmethod A() ->", 2), ("interface a.b\nmethod A() -> B", 2), ("interface a.b\nfoo A ()", 2),
        ("interface a.b\nmethod A(x) -> ()", 2), ("interface a.b\nerror A (x, y)", 2), ("interface a.b\nerror A", 2),
        ("interface a.b\ntype A (x: int, y)", 2), ("interface a.b\ntype A (x, y: int)", 2),
        ("interface a.b\ntype A (\nx: int\ny: int)", 4), ("interface a.b\ntype A (x: integer)", 2),
        ("interface a.b\ntype A (x: ??int)", 2), ("interface a.b\ntype A (x: [int]int)", 2),
        ("interface a.b\ntype A (x: int,)", 2), ("interface a.b\ntype A (x__y: int)", 2),
        ("interface a.b\ntype A (_x: int)", 2), ("interface a.b\ntype A (x: B,\n y: C)\ntype B ()", 3),
        ("interface a.b\ntype A (x: int, x: int)", 2), ("interface a.b\ntype A (x, x)", 2),
        ("interface a.b\ntype A ()\nmethod A() -> ()", 3), ("interface a.b\ntype A int", 2),
        ("interface a.b\ntype Ä ()", 2), ("interface a.b\ntype A (\(String(repeating: "x: (", count: 10_000))", 2),
        ("interface a.b\ntype A (x: \(String(repeating: "[]", count: 10_000))int)", 2),
    ])
    func invalid(_ text: String, _ line: Int) {
        let error = #expect(throws: InterfaceSyntaxError.self) { try InterfaceDescription(parsing: text) }
        #expect(error?.line == line, "\(error.map(\.description) ?? "")")
    }

    /// The white space and line ends of the grammar, which include more than those of ASCII.
    @Test(arguments: ["\n", "\r\n", "\r", "\u{2028}", "\u{2029}"])
    func whiteSpace(lineEnd: String) throws {
        let lines = [
            "# Für °C.", "interface\u{A0}a.b", "# Lost.", "\t\u{3000}", "# Does.", "\u{2003}method A()->()\u{1680}# no",
            "error B(",
        ]
        let interface = try InterfaceDescription(parsing: (lines + ["c:[string]int)"]).joined(separator: lineEnd))
        #expect(interface.documentation == "Für °C.")
        #expect(interface.method("A")?.documentation == "Does.")
        #expect(interface.error("B")?.documentation == "")
        #expect(interface.error("B")?.fields.map(\.type) == [.map(.int)])
        let error = #expect(throws: InterfaceSyntaxError.self) {
            try InterfaceDescription(parsing: (lines + ["c:"]).joined(separator: lineEnd))
        }
        #expect(error?.line == 8)
        let unexpected = #expect(throws: InterfaceSyntaxError.self) {
            try InterfaceDescription(parsing: (lines + ["c\u{301}"]).joined(separator: lineEnd))
        }
        #expect(unexpected?.description == "line 8: unexpected '\u{301}'")
    }

    @Test func standardErrorsOfTheServiceAreDefined() async throws {
        let text = try await TestService.serving { service, path in
            let client = try await VarlinkClient.connect(path: path, on: service.eventLoop)
            let reply: JSONValue = try await client.call(
                "org.varlink.service.GetInterfaceDescription", ["interface": "org.varlink.service"])
            return try #require(reply["description"]?.string)
        }
        let interface = try InterfaceDescription(parsing: text)
        #expect(
            interface.errors.map(\.name) == [
                "InterfaceNotFound", "MethodNotFound", "MethodNotImplemented", "InvalidParameter", "PermissionDenied",
                "ExpectedMore",
            ])
    }
}

struct ValidationTests {
    private static let interface = try! InterfaceDescription(
        parsing: """
            interface org.example.validation
            type Kind (one, two)
            type Tree (value: int, children: ?[]Tree)
            method Check(
              flag: bool, count: int, ratio: float, text: string, kind: Kind, list: []int, map: [string]Kind,
              tree: ?Tree, thing: object, whatever: any) -> ()
            """)

    private static let valid: [String: JSONValue] = [
        "flag": true, "count": 1, "ratio": 0.5, "text": "x", "kind": "two", "list": [1, 2], "map": ["a": "one"],
        "tree": ["value": 1, "children": [["value": 2], ["value": 3, "children": []]]], "thing": ["a": 1],
    ]

    private func wrongParameter(_ changes: [String: JSONValue], without removed: String? = nil) -> String? {
        var parameters = Self.valid.merging(changes) { $1 }
        if let removed { parameters[removed] = nil }
        do throws(VarlinkError) {
            try Self.interface.validate(
                .object(Dictionary(uniqueKeysWithValues: parameters.map { (BytewiseString($0), $1) })),
                fields: Self.interface.methods[0].input)
            return nil
        } catch {
            return error.parameters["parameter"]?.string
        }
    }

    @Test func whatFits() {
        #expect(wrongParameter([:]) == nil)
        #expect(wrongParameter(["ratio": 1, "tree": nil, "whatever": [1, "x"], "list": [], "map": [:]]) == nil)
        #expect(wrongParameter([:], without: "tree") == nil)
    }

    @Test(arguments: ["flag", "count", "ratio", "text", "kind", "list", "map", "thing"])
    func missing(_ name: String) {
        #expect(wrongParameter([:], without: name) == name)
        #expect(wrongParameter([name: nil]) == name)
    }

    @Test(
        arguments: [
            ("flag", 1, "flag"), ("count", 1.5, "count"), ("count", "1", "count"), ("count", 1e300, "count"),
            ("ratio", "1", "ratio"), ("text", 1, "text"), ("kind", "three", "kind"), ("kind", 1, "kind"),
            ("list", [1, "x"], "list.1"), ("list", [:], "list"), ("map", ["a": "one", "b": "no"], "map.b"),
            ("map", [], "map"),
            ("thing", [], "thing"), ("thing", "x", "thing"), ("tree", [:], "tree.value"),
            ("tree", ["value": 1, "children": [["value": 2], ["value": "x"]]], "tree.children.1.value"),
            ("tree", ["value": 1, "color": "red"], "tree.color"), ("unknown", nil, "unknown"),
        ] as [(String, JSONValue, String)])
    func wrong(_ name: String, _ value: JSONValue, _ path: String) {
        #expect(wrongParameter([name: value]) == path)
    }
}
