internal import Bus
internal import NIOCore
internal import Receivers

/// The area of the cell that serves the machine's modem, from ModemManager.
///
/// A serving cell changes without movement, and one of 10 km stays the same with it. But another area, of several
/// kilometres, means that the machine has moved. ModemManager answers from memory (mm-iface-modem-location.c). Confined
/// to the event loop.
final class ServingCell {
    /// MM_MODEM_LOCATION_SOURCE_3GPP_LAC_CI.
    private static let source: UInt32 = 1 << 0
    private static let answerTime = TimeAmount.seconds(10)
    /// The longest text with a cell, in bytes: MCC, MNC, LAC, CI and TAC.
    private static let maximumLength = 64

    private let hash: EmitterHash
    private let modemManager: BusService

    init(_ hash: EmitterHash, bus: Bus) {
        self.hash = hash
        modemManager = BusService(ModemManager.service, on: bus)
    }

    func start() { modemManager.open() }

    func stop() { modemManager.close() }

    /// Calls `body` with the hash of the area, or with `nil` if there is no modem in a network.
    func read(_ body: @escaping (UInt64?) -> Void) {
        guard modemManager.owner != nil else { return body(nil) }
        modemManager.objects(at: ModemManager.path, timeout: Self.answerTime, Modem.list) { [unowned self] modems in
            let modem = modems?.first { $0.sources.map { $0 & Self.source != 0 } ?? false }
            guard let modem else { return body(nil) }
            modemManager.call("GetLocation", of: ModemManager.location, at: modem.path, timeout: Self.answerTime) {
                [unowned self] reply in
                guard case .message(let message) = reply else { return body(nil) }
                body(Self.area(message).map(hash.area))
            }
        }
    }

    /// Returns the network and the area in a reply of GetLocation, or `nil` if it has none.
    private static func area(_ message: BusMessage) -> String? {
        let values: [UInt32: String]? = message.readDictionary(of: "uv", key: { message.readUInt32() }) { key in
            message.readVariant { type in
                key == source && type == "s" ? message.readText(upTo: maximumLength) ?? "" : ""
            } ?? ""
        }
        let fields = values?[source]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        guard fields.count >= 4, fields.prefix(2).allSatisfy({ !$0.isEmpty }) else { return nil }
        return (fields[0...2] + fields.dropFirst(4)).joined(separator: ",")
    }
}
