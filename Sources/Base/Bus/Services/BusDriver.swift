/// The bus as a service: D-Bus specification, "Message Bus Messages".
package enum BusDriver {
    /// The name of the service and of its interface.
    package static let name = "org.freedesktop.DBus"
    /// The path of its only object.
    package static let path = "/org/freedesktop/DBus"
    /// The method that returns the unique name of a service's owner.
    package static let getNameOwner = "GetNameOwner"
    /// The method that describes the process behind a connection.
    package static let getCredentials = "GetConnectionCredentials"

    /// Returns the match rule for signals about the owner of a name.
    package static func ownerChanges(of name: String) -> String {
        "type='signal',sender='\(Self.name)',interface='\(Self.name)',member='NameOwnerChanged',arg0='\(name)'"
    }
}

extension BusMessage {
    /// Returns the process and the user from a reply to `getCredentials`, or `nil` if either is missing.
    package func readCredentials() -> (pid: Int32, uid: UInt32)? {
        var (pid, uid): (UInt32?, UInt32?) = (nil, nil)
        readProperties { name in
            switch name {
            case "ProcessID": pid = readVariant { $0 == "u" ? readUInt32() : nil }
            case "UnixUserID": uid = readVariant { $0 == "u" ? readUInt32() : nil }
            default: return false
            }
            return true
        }
        guard let pid = pid.flatMap(Int32.init(exactly:)), let uid else { return nil }
        return (pid, uid)
    }

    /// Returns the new owner of a name if this is the bus's signal about it, or `nil` for another signal. The result is
    /// empty if the name has lost its owner.
    package func newOwner(of name: String) -> String? {
        guard sender == BusDriver.name, member == "NameOwnerChanged", readString() == name, readString() != nil else {
            return nil
        }
        return readString()
    }
}
