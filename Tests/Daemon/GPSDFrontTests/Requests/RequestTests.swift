import Testing

@testable import GPSDFront

@Suite struct RequestTests {
    private func request(_ text: String) -> ClientRequest { ClientRequest(parsing: Array(text.utf8)) }

    @Test(
        arguments: [
            ("?VERSION;", .version), ("?VERSION", .version), ("?DEVICES;", .devices), ("?POLL;", .poll),
            ("?DEVICE;", .device(path: nil)), ("?WATCH;", .watch(nil)), ("?WATCH", .watch(nil)),
            (#"?DEVICE={"path":"/dev/a"};"#, .device(path: "/dev/a")),
            (#"?DEVICE={"path":"/dev/a","bps":4800}"#, .configureDevice(path: "/dev/a")),
            (#"?DEVICE={"cycle":0.1}"#, .configureDevice(path: nil)),
            ("?WATCH={}", .watch(WatchChange())),
            (#"?WATCH={"enable":true,"json":true}"#, .watch(WatchChange(enable: true, json: true))),
            (#"?WATCH={"class":"WATCH", "nmea":true}"#, .watch(WatchChange(nmea: true))),
            (#"?WATCH={"raw":2,"pps":true}"#, .watch(WatchChange(raw: 2, pps: true))),
            (#"?WATCH={"raw":9}"#, .watch(WatchChange(raw: 2))),
            (#"?WATCH={"enable":0}"#, .watch(WatchChange(enable: false))),
            (#"?WATCH={"device":"/dev/a","later":[{}]}"#, .watch(WatchChange(device: "/dev/a"))),
            (#"?WATCH={"device":""}"#, .watch(WatchChange())),
            (
                #"?WATCH={"scaled":true,"timing":true,"split24":true}"#,
                .watch(WatchChange(scaled: true, timing: true, split24: true))
            ),
        ] as [(String, ClientRequest)]) func requests(text: String, expected: ClientRequest)
    {
        #expect(request(text) == expected)
    }

    @Test(arguments: [
        #"?WATCH={bad"#, #"?WATCH={"enable":"x"}"#, #"?WATCH={"raw":-1}"#, #"?WATCH={"raw":1.5}"#,
        #"?WATCH={"device":1}"#,
        "?WATCH=[]", "?WATCH=", #"?WATCH={"enable":true,"enable":false}"#, #"?WATCH={"a":{"b":{"c":{"d":{}}}}}"#,
        #"?WATCH={"a":"\#u{0}"}"#, #"?DEVICE={"path":5}"#, "?DEVICE=x",
    ]) func invalidParameters(text: String) {
        guard case .invalid(let name, let reason) = request(text) else {
            Issue.record("\(request(text))")
            return
        }
        #expect(text.contains(name) && !reason.isEmpty)
    }

    @Test(arguments: [
        "?FOO;", "?", "?;", "?version;", "?WATCHX;", "?POLL={};", "?VERSION={};", "?WATCH{}", "?VERSION x;",
    ])
    func unknownRequests(text: String) {
        #expect(request(text) == .unrecognized(text))
    }

    /// The repeated part of a request is short, and text.
    @Test func anUnknownRequestIsRepeatedInPart() {
        #expect(
            request("?" + String(repeating: "A", count: 1000)) == .unrecognized("?" + String(repeating: "A", count: 79))
        )
        #expect(ClientRequest(parsing: [UInt8(ascii: "?"), 0xFF]) == .unrecognized("?\u{FFFD}"))
    }

    @Test func whatAPolicyKeeps() {
        var policy = WatchPolicy()
        policy.apply(WatchChange(enable: true, json: true, raw: 2, scaled: true, pps: true, device: "/dev/a"))
        policy.apply(WatchChange(nmea: true))
        var expected = WatchPolicy(isEnabled: true, json: true, nmea: true, raw: 2, scaled: true)
        #expect(policy == expected)
        policy.apply(WatchChange(enable: false))
        expected.isEnabled = false
        #expect(policy == expected)
    }
}
