internal import JSON

/// A request of a client.
enum ClientRequest: Equatable {
    /// `?VERSION;`
    case version
    /// `?DEVICES;`
    case devices
    /// `?DEVICE;`, or `?DEVICE={…}` with the path of a device.
    case device(path: String?)
    /// `?DEVICE={…}` with settings for a receiver.
    case configureDevice(path: String?)
    /// `?WATCH;`, or `?WATCH={…}` with a change of the policy.
    case watch(WatchChange?)
    /// `?POLL;`
    case poll
    /// A request with invalid parameters, and the reason.
    case invalid(name: String, reason: String)
    /// Any other request. The text is the whole request, shortened.
    case unrecognized(String)

    /// The number of bytes of an unknown request that the reply repeats: gpsd's limit for a request.
    static let maximumRepeatedBytes = 80
    /// The maximum nesting depth of the parameters. gpsd's have one level.
    static let maximumDepth = 4

    /// Parses a request as ``RequestSplitter`` returns it.
    init(parsing request: [UInt8]) {
        let name = request.dropFirst().prefix { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        let rest = Self.trimmed(request[name.endIndex...])
        let parameters = rest.first == UInt8(ascii: "=") ? rest.dropFirst() : nil
        self = .unrecognized(String(decoding: request.prefix(Self.maximumRepeatedBytes), as: UTF8.self))
        guard parameters != nil || rest.isEmpty else { return }
        switch (String(decoding: name, as: UTF8.self), parameters) {
        case ("VERSION", nil): self = .version
        case ("DEVICES", nil): self = .devices
        case ("POLL", nil): self = .poll
        case ("DEVICE", nil): self = .device(path: nil)
        case ("WATCH", nil): self = .watch(nil)
        case ("DEVICE", let parameters?): self = Self.device(parameters)
        case ("WATCH", let parameters?): self = Self.watch(parameters)
        default: break
        }
    }

    /// Returns the request without trailing white space and `;`.
    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        while let last = text.last, last == UInt8(ascii: ";") || last == UInt8(ascii: " ") || last == UInt8(ascii: "\r")
        {
            text.removeLast()
        }
        return text
    }

    private static func watch(_ parameters: ArraySlice<UInt8>) -> ClientRequest {
        do throws(InvalidParameters) {
            return .watch(try WatchChange(ParameterReader(parsing: parameters)))
        } catch {
            return .invalid(name: "WATCH", reason: error.reason)
        }
    }

    private static func device(_ parameters: ArraySlice<UInt8>) -> ClientRequest {
        do throws(InvalidParameters) {
            let reader = try ParameterReader(parsing: parameters)
            let path = try reader.string("path")
            return reader.hasOthers(than: ["class", "path"]) ? .configureDevice(path: path) : .device(path: path)
        } catch {
            return .invalid(name: "DEVICE", reason: error.reason)
        }
    }
}
