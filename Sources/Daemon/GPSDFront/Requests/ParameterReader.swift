internal import Bytewise
internal import JSON

/// The reason why the parameters of a request cannot be read.
struct InvalidParameters: Error, Equatable {
    let reason: String
}

/// A reader of a request's parameters, which are a JSON object. Unknown keys are ignored, as in gpsd.
struct ParameterReader {
    private let members: [BytewiseString: JSONValue]

    init(parsing text: ArraySlice<UInt8>) throws(InvalidParameters) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: Array(text).span, maximumDepth: ClientRequest.maximumDepth)
        } catch {
            throw InvalidParameters(reason: "not JSON")
        }
        guard case .object(let members) = value else { throw InvalidParameters(reason: "not a JSON object") }
        self.members = members
    }

    /// Returns a Boolean parameter, or `nil` if it is absent. A number other than 0 counts as true, as in gpsd.
    func bool(_ key: String) throws(InvalidParameters) -> Bool? {
        switch members[BytewiseString(key)] {
        case nil: return nil
        case .bool(let value): return value
        case .int(let value): return value != 0
        default: throw InvalidParameters(reason: "\(key) is neither true nor false")
        }
    }

    /// Returns a number from 0 to `limit`, or `nil` if it is absent. A greater number becomes `limit`.
    func number(_ key: String, limit: Int64) throws(InvalidParameters) -> Int? {
        switch members[BytewiseString(key)] {
        case nil: return nil
        case .int(let value) where value >= 0: return Int(min(value, limit))
        case .bool(let value): return value ? 1 : 0
        default: throw InvalidParameters(reason: "\(key) is not a number from 0 to \(limit)")
        }
    }

    /// Returns a text, or `nil` if it is absent.
    func string(_ key: String) throws(InvalidParameters) -> String? {
        switch members[BytewiseString(key)] {
        case nil: return nil
        case .string(let value): return value
        default: throw InvalidParameters(reason: "\(key) is not a string")
        }
    }

    /// Returns whether there are other parameters.
    func hasOthers(than keys: [String]) -> Bool {
        members.keys.contains { member in !keys.contains { member.text.isBytewiseEqual(to: $0) } }
    }
}
