"""What a user does with a report: points at the charts, zooms, moves, by mouse, wheel, buttons and keys."""

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
const index = data.times.reduce((best, at, index) =>
  Math.abs(at - time) < Math.abs(data.times[best] - time) ? index : best, 0);
return [data.speed[index], data.altitude[index], data.x[index], data.y[index]];
"""
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
    speed, altitude, x, y = page.run(NEAREST, 0.4)
    outputs = page.run(OUTPUTS)
    expect(outputs[0].endswith(f"  {_number(speed)} m/s"), f"speed {speed} is shown as {outputs[0]}")
    expect(outputs[1].endswith(f"  {_number(altitude)} m"), f"altitude {altitude} is shown as {outputs[1]}")
    expect("used" in outputs[3] and outputs[4].endswith("dB-Hz"), f"{outputs}")
    expect(page.run(HERE) == f"M{x} {y}h0", "the place on the map is another one")
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
