internal import LocationctlSupport

/// The numbers of a menu's items on the bus.
///
/// Attack: an app appears or disappears while the user reads the menu, so that a click hits another item. So an item
/// keeps its number, and the number is never used again.
struct TrayNumbers: Equatable {
    private var numbers: [TrayMenu.Key: Int32] = [.root: 0]
    private var last: Int32 = 0

    /// Assigns a number to each item of a menu, and removes items that are gone.
    mutating func number(_ menu: TrayMenu) {
        let keys = Set(menu.items.map(\.key))
        numbers = numbers.filter { keys.contains($0.key) }
        for item in menu.items where numbers[item.key] == nil {
            last &+= 1
            // The root has 0, and no session has 2^31 changes.
            last = max(1, last)
            numbers[item.key] = last
        }
    }

    /// Returns the number of an item that is in the menu.
    subscript(key: TrayMenu.Key) -> Int32 { numbers[key] ?? -1 }
}
