import Testing

@testable import ReceiverSettings

/// Which receivers get corrections.
@Suite struct TakesCorrectionsTests {
    @Test(
        arguments: [
            (ReceiverProfile.Dialect.ublox, "ZED-F9P", "HPG 1.32", true), (.ublox, "ZED-F9R", "HPS 1.30", true),
            (.ublox, "NEO-M8P-2", "HPG 1.43", true), (.ublox, "ZED-X20P", "HPG 2.00", true),
            (.ublox, "ZED-F9T", "TIM 2.20", true), (.ublox, nil, "HPG 1.12", true),
            (.ublox, "MAX-M10S", "SPG 5.10", false),
            (.ublox, "NEO-M9N", "SPG 4.04", false), (.ublox, nil, "EXT CORE 3.01", false), (.ublox, nil, nil, false),
            (.airoha, "LC29HD", "LC29HDANR11A03S_RSA", true), (.airoha, "LC29HE", "LC29HEANR11A03S", true),
            (.airoha, "LC29HA", "LC29HAANR01A03S", false), (.airoha, nil, "AG3335M_V2.5.0", false),
            (.mtk, nil, "AXN_5.1.7", false), (.casic, nil, "HPG ", false), (.stm, nil, "x", false),
            (.skytraq, nil, "HPG ", false), (.auto, nil, "HPG ", false),
        ] as [(ReceiverProfile.Dialect, String?, String?, Bool)])
    func receivers(dialect: ReceiverProfile.Dialect, model: String?, firmware: String?, isTaking: Bool) {
        let identity = ReceiverIdentity(dialect, maker: "x", model: model, firmware: firmware)
        #expect(identity.takesCorrections == isTaking)
    }
}
