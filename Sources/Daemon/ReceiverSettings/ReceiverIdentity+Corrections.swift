extension ReceiverIdentity {
    /// A Boolean value indicating whether the receiver computes its position with corrections in RTCM 3, and its ports
    /// accept them by default.
    ///
    /// Attack: bytes for a receiver that does not read RTCM 3 are bytes that it may take for something else. So only
    /// receivers that say who they are get any, besides those that the owner names.
    package var takesCorrections: Bool {
        switch dialect {
        // High precision and fusion: F9, X20 and M8P (u-blox Interface Descriptions, "UBX-MON-VER"). M10 has no input.
        case .ublox:
            ["HPG ", "HPS "].contains { firmware?.hasPrefix($0) == true }
                || ["-F9", "-X20", "-M8P"].contains { model?.contains($0) == true }
        // LC29H (BA), (CA), (DA) and (EA); not (AA) and (AI) (Quectel LC29H Series, "RTK").
        case .airoha:
            ["LC29HBA", "LC29HCA", "LC29HDA", "LC29HEA"].contains { firmware?.hasPrefix($0) == true }
        // Quectel LG290P: all of its ports.
        case .quectel: firmware?.hasPrefix("LG290P") == true
        case .auto, .mtk, .casic, .stm, .skytraq: false
        }
    }
}
