"""What users do with a report: point at the charts, zoom, move, by mouse, wheel, buttons and keys; at the track."""

# Returns the time that each chart shows: its beginning and its length.
SPANS = """
return [...document.querySelectorAll(".plot svg")].map(svg => [svg.viewBox.baseVal.x, svg.viewBox.baseVal.width]);
"""
PLOT = """
document.querySelector(".plot").scrollIntoView({block: "center"});
const box = document.querySelector(".plot").getBoundingClientRect();
return [box.left, box.top, box.width, box.height];
"""
OUTPUTS = 'return [...document.querySelectorAll(".chart output")].map(output => output.textContent)'
HERE = 'return document.querySelector(".here").getAttribute("d")'
PART = 'return document.querySelector(".part").getAttribute("d")'
LABELS = 'return [...document.querySelectorAll(".x span")].map(span => span.textContent)'
# Returns the values that belong under the pointer, by the data of the page.
NEAREST = """
const data = JSON.parse(document.querySelector(".data").textContent), time = arguments[0] * data.length;
const sums = list => { let sum = 0; return list.map(step => step === null ? null : sum += step); };
const times = sums(data.times), all = ["x", "y", "latitude", "longitude"].map(name => sums(data[name]));
const index = times.reduce((best, at, index) => Math.abs(at - time) < Math.abs(times[best] - time) ? index : best, 0);
return [data.speed[index], data.altitude[index], ...all.map(list => list[index])];
"""
PLACE = 'return document.querySelector(".place").textContent'
CURSORS = """
return [...document.querySelectorAll(".cursor")].map(cursor => cursor.style.display === "block" && cursor.style.left);
"""
VIEW = """
const {x, y, width, height} = document.querySelector(".map svg").viewBox.baseVal;
return [x, y, width, height];
"""
MAP = """
document.querySelector(".map").scrollIntoView({block: "center"});
const box = document.querySelector(".map").getBoundingClientRect();
return [box.left, box.top, box.width, box.height];
"""
FIGURES = 'return [...document.querySelectorAll(".figures span")].map(span => span.textContent)'
PRESS = """
document.querySelector(".charts").dispatchEvent(new KeyboardEvent("keydown", {key: arguments[0], bubbles: true}));
"""
CLICK = "document.querySelector(`button[data-do=${arguments[0]}]`).click()"


def _number(value):
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def check(page, path, expect):
    """Handles a report with one section of a moving device."""
    page.show_as(1280)
    page.open(path)
    left, top, width, height = page.run(PLOT)
    middle = top + height / 2

    def span():
        spans = page.run(SPANS)
        expect(len(spans) == 5, f"{len(spans)} charts")
        expect(all(span == spans[0] for span in spans), f"the charts show different times: {spans}")
        return spans[0]

    def drag(start, end):
        page.mouse("mousePressed", start, middle, button="left", clickCount=1)
        page.mouse("mouseMoved", end, middle, button="left", buttons=1)
        page.mouse("mouseReleased", end, middle, button="left", clickCount=1)

    expect(span() == [0, 10000], "it does not begin with the whole time")
    labels = page.run(LABELS)

    page.mouse("mouseMoved", left + width * 0.4, middle)
    speed, altitude, x, y, latitude, longitude = page.run(NEAREST, 0.4)
    outputs = page.run(OUTPUTS)
    expect(outputs[0].endswith(f"  {_number(speed)} m/s"), f"speed {speed} is shown as {outputs[0]}")
    expect(outputs[1].endswith(f"  {_number(altitude)} m"), f"altitude {altitude} is shown as {outputs[1]}")
    expect("used" in outputs[3] and outputs[4].endswith("dB-Hz"), f"{outputs}")
    expect(page.run(HERE) == f"M{x} {y}h0", "the place on the map is another one")
    place = f"{latitude / 1e5:.5f}°, {longitude / 1e5:.5f}°"
    expect(page.run(PLACE).endswith("  " + place), f"{place} is shown as {page.run(PLACE)}")
    page.mouse("mouseMoved", left - 30, middle)
    expect(page.run(OUTPUTS) == [""] * 5 and page.run(HERE) == "", "the values stay without the pointer")

    page.mouse("mouseWheel", left + width / 2, middle, deltaX=0, deltaY=-120, modifiers=2)
    begin, length = span()
    expect(length == 8000 and abs(begin - 1000) < 5, f"the wheel zooms to {begin}, {length}")
    expect(page.run(PART) not in ("", None), "the map does not mark the time")
    page.run(CLICK, "all")
    page.mouse("mouseWheel", left + width / 2, middle, deltaX=0, deltaY=120)
    expect(span() == [0, 10000], "the wheel zooms without Ctrl")

    page.run(CLICK, "in")
    page.run(CLICK, "in")
    expect(span() == [3750, 2500], f"two clicks zoom to {span()}")
    expect(page.run(LABELS) != labels, "the labels do not follow")
    drag(left + width * 0.5, left + width * 0.7)
    begin, length = span()
    expect(length == 2500 and abs(begin - 3250) < 5, f"dragging moves to {begin}, {length}")
    page.run(PRESS, "ArrowRight")
    expect(abs(span()[0] - begin - 625) < 1, "the arrow does not move")
    page.run(PRESS, "-")
    expect(span()[1] == 5000, "- does not zoom out")
    for _ in range(40):
        page.run(PRESS, "+")
    expect(span()[1] > 0 and page.run(LABELS), "it zooms to nothing")
    for action in ["all", "in", "in"] + ["left"] * 20:
        page.run(CLICK, action)
    expect(span()[0] == 0, f"it moves before the beginning: {span()}")
    page.run(PRESS, "0")
    expect(span() == [0, 10000], "0 does not show all")
    expect(page.run(PART) == "", "the map marks a time")
    check_track(page, expect)
    check_clock(page, path, expect)


def check_clock(page, path, expect):
    """Switches a report to the local time, in a place without daylight saving time."""
    shown = lambda: page.run("""return [document.querySelector(".sub").textContent,
      document.querySelector("td time").textContent, document.querySelector(".when").textContent]""")
    button = "document.querySelector('.clock').click()"
    page.develop("Emulation.setTimezoneOverride", timezoneId="UTC")
    page.open(path)
    expect(page.run("return document.querySelector('.clock').hidden"), "in UTC there is a button for local time")
    page.develop("Emulation.setTimezoneOverride", timezoneId="Asia/Dubai")
    page.open(path)
    page.run(CLICK, "in")
    utc, labels = shown(), page.run(LABELS)
    expect("UTC" in utc[0] and utc[1].startswith("2026-11-20 23:10:24"), f"{utc}")
    page.run(button)
    local = shown()
    expect("2026-11-21 03:10:24 to 2026-11-21 07:09:59 Asia/Dubai" in local[0], f"{local}")
    expect(local[1].startswith("2026-11-21 03:10:24") and local[2].startswith("2026-11-21 0"), f"{local}")
    expect(all(label.endswith(("00", "15", "30", "45")) for label in page.run(LABELS)),
           f"the labels are {page.run(LABELS)}")
    expect(page.run(LABELS) != labels, "the charts stay in UTC")
    page.run(button)
    expect(shown() == utc and page.run(LABELS) == labels, "UTC does not come back")
    page.develop("Emulation.setTimezoneOverride", timezoneId="")


def check_track(page, expect):
    """Handles the track of a report that shows the whole time."""
    whole, figures = page.run(VIEW), page.run(FIGURES)
    expect(len(figures) >= 4, f"coordinates at the frame: {figures}")
    for _ in range(4):
        page.run(CLICK, "in")
    view = page.run(VIEW)
    expect(view[2] < whole[2] / 2, f"the track does not follow the charts: {view} of {whole}")
    expect(abs(view[2] / view[3] - whole[2] / whole[3]) < 0.01, "the track is distorted")
    expect(page.run(FIGURES) != figures and len(page.run(FIGURES)) >= 2, f"coordinates: {page.run(FIGURES)}")
    expect(page.run(PART).count("M") > 0, "the part in sight is not drawn")
    page.run(CLICK, "fit")
    expect(page.run(VIEW) == whole and page.run(FIGURES) == figures, "without fit, the track is not whole")
    page.run(PRESS, "f")
    expect(page.run(VIEW) == view, "f does not fit the track")

    left, top, width, height = page.run(MAP)
    _, _, x, y, latitude, longitude = page.run(NEAREST, 0.5)
    page.mouse("mouseMoved", left + (x - view[0]) / view[2] * width, top + (y - view[1]) / view[3] * height)
    shown, place = page.run(PLACE), f"{latitude / 1e5:.3f}"
    expect(shown.count("°") == 2 and place in shown and ":" in shown, f"{place} is shown as {shown}")
    expect(all(page.run(CURSORS)), f"the charts do not mark the time: {page.run(CURSORS)}")
    page.mouse("mouseMoved", left + 2, top + 2)
    expect(":" not in page.run(PLACE) and "°" in page.run(PLACE), f"beside the track: {page.run(PLACE)}")
    expect(not any(page.run(CURSORS)), "the charts mark a time beside the track")
    page.mouse("mouseMoved", 1, 1)
    expect(page.run(PLACE) == "", "the place stays without the pointer")
    page.run(CLICK, "all")
    expect(page.run(VIEW) == whole, "the track stays zoomed")
