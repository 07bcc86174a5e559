internal import CUdev

/// udev's hardware database: properties of devices by their vendor and product, hwdb(7).
public final class HardwareDatabase {
    private let udev: OpaquePointer
    private let database: OpaquePointer

    /// Opens the database, or returns `nil` if there is none.
    public init?() {
        guard let udev = udev_new() else { return nil }
        guard let database = udev_hwdb_new(udev) else {
            udev_unref(udev)
            return nil
        }
        self.udev = udev
        self.database = database
    }

    deinit {
        udev_hwdb_unref(database)
        udev_unref(udev)
    }

    /// Returns whether the database lists the device as a receiver. Devices that are not on USB are not listed.
    public func listsAsReceiver(_ entry: UdevEntry) -> Bool {
        guard let vendor = entry.attribute("idVendor", ofParent: "usb", "usb_device"),
            let product = entry.attribute("idProduct", ofParent: "usb", "usb_device")
        else { return false }
        let key = "usb:v\(vendor.uppercased())p\(product.uppercased())"
        return UdevList.names(udev_hwdb_get_properties_list_entry(database, key, 0)).contains("ID_LOCATIOND")
    }
}
