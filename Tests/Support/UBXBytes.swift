/// Returns a frame as it is transmitted, with the correct checksum. The class is the high byte of `kind`.
package func ubx(_ kind: UInt16, _ payload: [UInt8]) -> [UInt8] {
    let body = [UInt8(kind >> 8), UInt8(kind & 0xFF), UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)] + payload
    var (a, b) = (UInt8(0), UInt8(0))
    for byte in body {
        a &+= byte
        b &+= a
    }
    return [0xB5, 0x62] + body + [a, b]
}

/// A payload of zeros, with numbers set in it.
package struct Payload {
    package private(set) var bytes: [UInt8]

    /// Creates a payload of that length, in bytes.
    package init(_ length: Int) {
        bytes = [UInt8](repeating: 0, count: length)
    }

    /// Sets the number at an offset, its lowest byte first.
    package mutating func set<Number: FixedWidthInteger>(_ offset: Int, _ number: Number) {
        for index in 0..<Number.bitWidth / 8 {
            bytes[offset + index] = UInt8(truncatingIfNeeded: number >> Number(8 * index))
        }
    }
}

/// The fields of a NAV-PVT: a good fix in three dimensions at 2024-06-15T12:00:00Z.
package struct NavigationPosition {
    /// The time of the GPS week, in milliseconds.
    package var timeOfWeek: UInt32 = 0
    package var year: UInt16 = 2024
    package var month: UInt8 = 6
    package var day: UInt8 = 15
    package var hour: UInt8 = 12
    package var minute: UInt8 = 0
    package var second: UInt8 = 0
    package var nanoseconds: Int32 = 0
    /// Date 1, time 2, resolved 4.
    package var validity: UInt8 = 7
    package var fixType: UInt8 = 3
    package var flags: UInt8 = 1
    package var satellites: UInt8 = 11
    package var longitude: Int32 = 85_652_474
    package var latitude: Int32 = 472_852_112
    package var height: Int32 = 547_600
    package var altitude: Int32 = 499_600
    package var horizontalAccuracy: UInt32 = 1_234
    package var verticalAccuracy: UInt32 = 2_345
    package var speed: Int32 = 5_250
    package var course: Int32 = 7_750_000
    package var speedAccuracy: UInt32 = 321
    package var courseAccuracy: UInt32 = 1_250_000
    package var dilution: UInt16 = 155
    package var moreFlags: UInt16 = 0
    package var length = 92

    /// Creates a good fix.
    package init() {}

    /// The frame as it is transmitted.
    package var frame: [UInt8] {
        var payload = Payload(length)
        payload.set(0, timeOfWeek)
        payload.set(4, year)
        payload.set(6, month)
        payload.set(7, day)
        payload.set(8, hour)
        payload.set(9, minute)
        payload.set(10, second)
        payload.set(11, validity)
        payload.set(16, nanoseconds)
        payload.set(20, fixType)
        payload.set(21, flags)
        payload.set(23, satellites)
        payload.set(24, longitude)
        payload.set(28, latitude)
        payload.set(32, height)
        payload.set(36, altitude)
        payload.set(40, horizontalAccuracy)
        payload.set(44, verticalAccuracy)
        payload.set(60, speed)
        payload.set(64, course)
        payload.set(68, speedAccuracy)
        payload.set(72, courseAccuracy)
        payload.set(76, dilution)
        payload.set(78, moreFlags)
        return ubx(0x01_07, payload.bytes)
    }

    /// Changes one field.
    package func with<Value>(_ field: WritableKeyPath<NavigationPosition, Value>, _ value: Value) -> NavigationPosition
    {
        var copy = self
        copy[keyPath: field] = value
        return copy
    }
}
