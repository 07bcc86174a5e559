/// The files next to this one that are embedded in the page, without their last line end.
enum PageSources {
    /// The style: for wide and narrow screens, light and dark, and for paper.
    static let style = text(PackageResources.page_css)

    /// The script. It zooms and moves all charts of a section together, shows the values under the pointer, and marks
    /// time and place on the map. The page is readable without it.
    static let script = text(PackageResources.page_js)

    private static func text(_ file: [UInt8]) -> String { String(decoding: file.dropLast(), as: UTF8.self) }
}
