/// The adapters that a ``BeaconScanner`` uses: ``BeaconAdapters`` or, in tests, made-up ones. Confined to the event
/// loop.
protocol BeaconRadio: AnyObject {
    var onEvent: ((BeaconScanStateMachine.Event) -> Void)? { get set }
    /// Called with each advertisement of a wanted beacon, and its strength in dBm if that is known.
    var onAdvertisement: ((BeaconAdvertisement, _ rssi: Double?) -> Void)? { get set }
    /// Called when a monitor reports that a beacon with these patterns has come or gone.
    var onHint: ((BeaconPresences.Report, Set<BeaconPattern>) -> Void)? { get set }
    /// Returns whether a beacon is wanted.
    var isWanted: ((BeaconIdentity) -> Bool)? { get set }
    /// A Boolean value indicating whether advertisements may come.
    var isExpecting: Bool { get set }
    /// The constraints of the beacons that monitors report.
    var monitored: Set<BeaconPattern> { get set }

    func open()
    func close()
    /// Forgets the devices that are no longer wanted.
    func forgetUnwanted()
    /// Forgets all devices.
    func forgetDevices()
    func listAdapters()
    func read(_ path: String)
    func call(_ call: BeaconScanStateMachine.Call, _ path: String)
}
