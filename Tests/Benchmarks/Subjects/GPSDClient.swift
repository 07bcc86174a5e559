/// A client of gpsd's protocol, as libgps is one.
enum GPSDClient {
    /// gpsd ends its messages with CR LF. An epoch counts as received with its TPV.
    static let framing = Framing(terminator: UInt8(ascii: "\n"), prefix: Array(#"{"class":"TPV""#.utf8))

    /// Connects, and asks for reports as JSON. Returns after the reply.
    static func subscribe(port: UInt16) throws -> Socket {
        let client = try Socket(port: port)
        try client.send(#"?WATCH={"enable":true,"json":true};"#)
        _ = try client.read(until: #"{"class":"WATCH""#)
        return client
    }

    static func mark(of epoch: Epoch) -> String { #""time":"\#(epoch.timestamp)""# }
}
