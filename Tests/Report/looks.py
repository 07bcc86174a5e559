"""What must hold for a report at each size and in each scheme: nothing is cut off, no labels overlap, everything can be
read, and it works without script and on paper."""

# Returns the pairs of labels that cover each other.
OVERLAPS = """
const found = [];
for (const group of document.querySelectorAll(".x, .y, .figures, .sky > .columns > svg")) {
  const labels = [...group.querySelectorAll("span, text.name, text.compass")]
    .map(label => [label.textContent, label.getBoundingClientRect()]).filter(([, box]) => box.width > 0);
  labels.forEach(([a, boxA], index) => {
    for (const [b, boxB] of labels.slice(index + 1))
      if (boxA.left < boxB.right - 1 && boxB.left < boxA.right - 1 && boxA.top < boxB.bottom - 2
          && boxB.top < boxA.bottom - 2)
        found.push(`${a} covers ${b}`);
  });
}
return found;
"""

# Returns the elements that are wider than the screen, but for those in a box of their own that scrolls.
CUT_OFF = """
const width = document.documentElement.clientWidth;
return [...document.querySelectorAll("body *")].filter(element =>
  !element.closest("svg svg, svg *, .scroll, script") && element.getBoundingClientRect().right > width + 1)
  .map(element => `${element.tagName}.${element.className} ends at ${element.getBoundingClientRect().right}`);
"""

# Returns the texts whose contrast to the page is below 4.5 to 1 (WCAG 2.2, 1.4.3).
CONTRASTS = """
const channel = value => value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4;
const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const parse = text => (text.match(/[0-9.]+/g) || []).map(Number);
function ground(element) {
  for (; element; element = element.parentElement) {
    const color = parse(getComputedStyle(element).backgroundColor);
    if (color.length === 3 || color[3] === 1) return color;
  }
  return [255, 255, 255];
}
const found = new Set();
for (const element of document.querySelectorAll("h1, h2, h3, p, dt, dd, th, td, b, span, button, text, footer")) {
  if (!element.textContent.trim() || !element.getClientRects().length) continue;
  const style = getComputedStyle(element);
  const ink = luminance(parse(element.tagName === "text" ? style.fill : style.color));
  const paper = luminance(ground(element)), ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  const name = `${element.tagName}.${element.className.baseVal ?? element.className}`;
  if (ratio < 4.5) found.add(`${name}: ${ratio.toFixed(2)}`);
}
return [...found];
"""

IS_SEEN = "return !!document.querySelector(arguments[0])?.getClientRects().length"


def check(page, path, expect):
    """Opens the report at each size and in each scheme."""
    for width in (1280, 768, 390):
        for dark in (False, True):
            page.show_as(width, dark=dark)
            page.open(path)
            where = f"{width} px, {'dark' if dark else 'light'}"
            expect(not (found := page.run(OVERLAPS)), f"{where}: {found}")
            expect(not (found := page.run(CUT_OFF)), f"{where}: {found}")
            expect(not (found := page.run(CONTRASTS)), f"{where}: {found}")
            expect(page.run("return document.documentElement.scrollWidth") <= width, f"{where}: it scrolls sideways")
    page.show_as(800, medium="print")
    expect(not page.run(IS_SEEN, ".controls"), "the controls are printed")
    expect(page.run(IS_SEEN, ".map, .sky"), "neither the map nor the sky is printed")
    page.show_as(800, dark=True, medium="print")
    paper = page.run("return getComputedStyle(document.body).backgroundColor")
    expect(paper == "rgb(255, 255, 255)", f"it is printed on {paper}")


def check_without_script(page, path, expect):
    """Opens the report where no script runs."""
    page.show_as(1280, script=False)
    page.open(path)
    page.show_as(1280)
    expect(not page.run(IS_SEEN, ".controls"), "without script there are buttons")
    for part in (".map .way", ".map .arrows", ".figures .latitude", ".figures .longitude", ".chart .line", ".x span",
                 ".sky .orbit", ".tables td"):
        expect(page.run(IS_SEEN, part), f"without script there is no {part}")


def check_print(page, path, pages, expect):
    """Prints the report."""
    page.show_as(1280)
    page.open(path)
    expect((printed := page.pages()) == pages, f"it is printed on {printed} pages, not on {pages}")
