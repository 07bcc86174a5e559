import Testing

@testable import GPSDFront

@Suite struct RequestSplitterTests {
    /// An input, and the requests in it.
    private static let inputs: [(String, [String])] = [
        ("?VERSION;", ["?VERSION;"]),
        ("?VERSION;\n", ["?VERSION;"]),
        ("?VERSION\r\n", ["?VERSION"]),
        ("?DEVICES;?WATCH;", ["?DEVICES;", "?WATCH;"]),
        ("?DEVICES;\r\n?WATCH;\r\n", ["?DEVICES;", "?WATCH;"]),
        // libgps, gps3, OpenCPN, gpsmon
        (#"?WATCH={"enable":true,"json":true};"# + "\n", [#"?WATCH={"enable":true,"json":true}"#]),
        (#"?WATCH={"enable":true,"json":true}"#, [#"?WATCH={"enable":true,"json":true}"#]),
        (#"?WATCH={"class":"WATCH", "nmea":true}"#, [#"?WATCH={"class":"WATCH", "nmea":true}"#]),
        (#"?WATCH={"raw":2,"pps":true}"# + "\r\n", [#"?WATCH={"raw":2,"pps":true}"#]),
        (#"?WATCH={"enable":true}?POLL;"#, [#"?WATCH={"enable":true}"#, "?POLL;"]),
        // Braces, semicolons and quotes in texts
        (#"?WATCH={"device":"}"}?POLL;"#, [#"?WATCH={"device":"}"}"#, "?POLL;"]),
        (#"?WATCH={"device":"\"}"}?POLL;"#, [#"?WATCH={"device":"\"}"}"#, "?POLL;"]),
        (#"?WATCH={"device":"\\"}?POLL;"#, [#"?WATCH={"device":"\\"}"#, "?POLL;"]),
        (#"?WATCH={"a;b":1};"#, [#"?WATCH={"a;b":1}"#]),
        (#"?WATCH={"a":{"b":{}}}?POLL;"#, [#"?WATCH={"a":{"b":{}}}"#, "?POLL;"]),
        // A line end ends a request in any case
        ("?WATCH={\"enable\n?POLL;", [#"?WATCH={"enable"#, "?POLL;"]),
        ("?WATCH={bad\n?POLL;", ["?WATCH={bad", "?POLL;"]),
        ("?}?POLL;", ["?}?POLL;"]),
        // Text that does not begin with a question mark is ignored up to the line end
        ("W=1\n?POLL;", ["?POLL;"]),
        ("hello ?POLL;\n  \n\n?POLL;", ["?POLL;"]),
        (";;; \t?POLL;", ["?POLL;"]),
        ("\0\u{1}?POLL;\n?POLL;", ["?POLL;"]),
        // Still incomplete
        ("?POLL", []), (#"?WATCH={"enable":true"#, []), ("?", []), ("", []),
    ]

    @Test(arguments: inputs.indices) func requestsInPiecesOfEverySize(index: Int) {
        let (input, expected) = Self.inputs[index]
        for length in 1...max(1, input.utf8.count) {
            #expect(pieces(of: Array(input.utf8), inFragmentsOf: length).map(\.text) == expected, "\(length)")
        }
    }

    /// Attack: a client never ends its request, and the daemon keeps all of it.
    @Test(arguments: ["x", "{", "{\"", "{\"a\":", "[", "?"]) func aMegabyteThatDoesNotEnd(text: String) {
        // A tenth of a megabyte where each byte is a fragment.
        for (length, size) in [(4096, 1_000_000), (1000, 1_000_000), (1, 100_000)] {
            let flood = Array((#"?WATCH="# + String(repeating: text, count: size / text.utf8.count)).utf8)
            var pieces = pieces(of: flood + Array("\n?POLL;".utf8), inFragmentsOf: length)
            #expect(pieces.popLast()?.text == "?POLL;")
            #expect(pieces == [.overlong])
        }
    }

    @Test func theLongestRequest() {
        let longest = "?" + String(repeating: "x", count: RequestSplitter.maximumLength - 1)
        #expect(pieces(of: Array((longest + "\n").utf8), inFragmentsOf: 100).map(\.text) == [longest])
        #expect(pieces(of: Array((longest + "x\n").utf8), inFragmentsOf: 100) == [.overlong])
    }

    @Test func binary() {
        let bytes = Array(repeating: Array(UInt8.min...UInt8.max), count: 100).flatMap(\.self)
        let whole = pieces(of: bytes, inFragmentsOf: bytes.count)
        for length in [1, 7, 256] { #expect(pieces(of: bytes, inFragmentsOf: length) == whole) }
    }
}
