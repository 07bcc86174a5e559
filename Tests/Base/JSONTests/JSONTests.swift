import Bytewise
import JSON
import TestSupport
import Testing

struct JSONParserTests {
    private func parse(_ text: String, maximumDepth: Int = 32) throws -> JSONValue {
        try JSONValue(parsing: Array(text.utf8).span, maximumDepth: maximumDepth)
    }

    @Test(
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("false", .bool(false)),
            ("0", .int(0)), ("-12", .int(-12)), ("9223372036854775807", .int(.max)),
            ("-9223372036854775808", .int(.min)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1.5", .double(1.5)), ("-0.0", .double(-0.0)),
            ("1e3", .double(1000)), ("2E-2", .double(0.02)), ("1e+2", .double(100)),
            ("47.376886123456789", .double(47.376886123456789)), ("5e-324", .double(.leastNonzeroMagnitude)),
            (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"), (#""\u0000""#, "\u{0}"),
            (#""\u00e4ä\uD83D\uDE00""#, "ää😀"),
            ("[]", []), ("[1,\t[2], {}]", [1, [2], [:]]),
            (#"{"a" : 1, "b":{"c":[null]}}"#, ["a": 1, "b": ["c": [nil]]]),
        ] as [(String, JSONValue)])
    func valid(_ text: String, _ expected: JSONValue) throws {
        #expect(try parse(text) == expected)
    }

    @Test(arguments: [
        "", " ", "nul", "truex", "tru", "+1", "01", "1.", ".5", "1e", "1e+", "-", "--1", "0x10", "NaN", "Infinity",
        "1e999",
        "\"", "\"a", #""\"#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\uD800""#, #""\uDC00""#, #""\uD800\u0041""#,
        #""\uD800\n""#, "\"\n\"", "\"\u{1}\"", "[", "[1", "[1,", "[1,]", "[,]", "[1 2]", "{", "{a:1}", #"{"a"}"#,
        #"{"a":}"#,
        #"{"a":1,}"#, #"{"a":1"#, #"{"a":1,"a":2}"#, "1 2", "{}{}", "'a'", "\u{FEFF}1", "// 1",
    ])
    func invalid(_ text: String) {
        #expect(throws: JSONError.self) { try parse(text) }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22],
            [0x80],
            [0x22, 0x5C, 0x6E, 0xFF, 0x22],
        ] as [[UInt8]])
    func notUTF8(_ bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes.span) }
    }

    @Test func depthIsBounded() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"a":["#, count: depth / 2) + String(repeating: "]}", count: depth / 2)
        }
        #expect(throws: Never.self) { try parse(nested(32)) }
        #expect(throws: JSONError.tooDeep(limit: 32)) { try parse(nested(34)) }
        #expect(throws: JSONError.tooDeep(limit: 32)) { try parse(String(repeating: "[", count: 1_000_000)) }
    }

    @Test func truncatedTextNeverParses() throws {
        let text = Array(#"{"a":[1.5e3,true,null,"ä\u00e4\n"],"b":{"c":-1}}"#.utf8)
        for length in 0..<text.count {
            let prefix = Array(text[..<length])
            #expect(throws: JSONError.self) { try JSONValue(parsing: prefix.span) }
        }
    }
}

struct JSONWriterTests {
    @Test func structureAndCommas() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("a", Int64(1))
        writer.field("absent", String?.none)
        writer.key("list")
        writer.beginArray()
        writer.value(true)
        writer.null()
        writer.beginObject()
        writer.endObject()
        writer.beginArray()
        writer.endArray()
        writer.endArray()
        writer.field("b", "text")
        writer.endObject()
        #expect(writer.text == #"{"a":1,"list":[true,null,{},[]],"b":"text"}"#)
    }

    @Test func stringsAreEscaped() throws {
        var writer = JSONWriter()
        writer.value("\"\\\n\r\t\u{0}\u{1F}\u{7F}/ä😀")
        #expect(writer.text == #""\"\\\n\r\t\u0000\u001f"# + "\u{7F}/ä😀\"")
        #expect(try JSONValue(parsing: writer.bytes.span) == "\"\\\n\r\t\u{0}\u{1F}\u{7F}/ä😀")
    }

    @Test func whatIsNotFiniteIsAbsent() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("a", Double.nan)
        writer.field("b", Double.infinity)
        writer.field("c", 1.5)
        writer.key("d")
        writer.value(-Double.infinity)
        writer.endObject()
        #expect(writer.text == #"{"c":1.5,"d":null}"#)
    }

    @Test func doublesReadBackExactly() throws {
        var generator = SeededRandom(seed: 1)
        for _ in 0..<10_000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            var writer = JSONWriter()
            writer.value(value)
            #expect(try JSONValue(parsing: writer.bytes.span).decoded(as: Double.self) == value)
        }
    }
}

struct JSONCodingTests {
    struct Everything: Codable, Equatable {
        enum Kind: String, Codable { case one, two }
        struct Nested: Codable, Equatable { var list: [[Int]], map: [String: Double] }
        var text: String
        var flag: Bool
        var small: Int8
        var large: UInt64
        var single: Float
        var double: Double
        var kind: Kind
        var absent: Int?
        var present: Int?
        var nested: Nested?
        var any: JSONValue
    }

    private func roundTrip<T: Codable>(_ value: T) throws -> T {
        var writer = JSONWriter()
        try writer.value(encoding: value)
        return try JSONValue(parsing: writer.bytes.span).decoded()
    }

    @Test func roundTrip() throws {
        let value = Everything(
            text: "ä", flag: true, small: -128, large: 1 << 62, single: 0.1, double: 47.376886123456789, kind: .two,
            absent: nil, present: 7, nested: .init(list: [[], [1, 2]], map: ["a": 1, "b": 0.5]),
            any: ["x": [1, 2.5, nil, "s", true]])
        #expect(try roundTrip(value) == value)
    }

    @Test func fieldsKeepTheirOrder() throws {
        struct Ordered: Encodable { var z = 1, a = [2], m = "x" }
        var writer = JSONWriter()
        try writer.value(encoding: Ordered())
        #expect(writer.text == #"{"z":1,"a":[2],"m":"x"}"#)
    }

    @Test func classesWithSuperclasses() throws {
        class Base: Codable { var a = 1 }
        final class Derived: Base {
            var b = 2
            override init() { super.init() }
            enum CodingKeys: CodingKey { case b }
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                b = try container.decode(Int.self, forKey: .b)
                try super.init(from: container.superDecoder())
            }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(b, forKey: .b)
                try super.encode(to: container.superEncoder())
            }
        }
        let value = Derived()
        value.a = 3
        value.b = 4
        let copy = try roundTrip(value)
        #expect(copy.a == 3)
        #expect(copy.b == 4)
    }

    @Test func integersThatDoNotFit() throws {
        #expect(throws: EncodingError.self) { try roundTrip(["a": UInt64.max]) }
        #expect(throws: DecodingError.self) { try JSONValue.int(256).decoded(as: UInt8.self) }
        #expect(throws: DecodingError.self) { try JSONValue.int(-1).decoded(as: UInt.self) }
        #expect(throws: DecodingError.self) { try JSONValue.double(1.5).decoded(as: Int.self) }
        #expect(try JSONValue.int(3).decoded(as: Double.self) == 3)
    }

    @Test func errorsNameTheField() throws {
        struct Inner: Decodable { var value: Int }
        struct Outer: Decodable { var items: [Inner], name: String? }
        func field(_ value: JSONValue) -> String? {
            do {
                let _: Outer = try value.decoded()
                return nil
            } catch DecodingError.typeMismatch(_, let context) {
                return context.codingPath.map(\.stringValue).joined(separator: ".")
            } catch DecodingError.keyNotFound(let key, let context) {
                return (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
            } catch {
                return "\(error)"
            }
        }
        #expect(field(["items": [["value": 1]], "name": nil]) == nil)
        #expect(field(["items": [["value": 1], ["value": "x"]]]) == "items.1.value")
        #expect(field(["items": [["valu": 1]]]) == "items.0.value")
        #expect(field(["items": [], "name": 5]) == "name")
        #expect(field([:]) == "items")
    }
}
