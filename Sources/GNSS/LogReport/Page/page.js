"use strict";
const steps = [100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5,
  216e5, 432e5, 864e5, 1728e5, 432e6, 864e6, 2592e6, 7776e6, 31536e6, 31536e7, 31536e8, 31536e9];
const earthRadius = 6371008.8, squaredEccentricity = 0.0066943799901413165, reach = 32;
const svg = (x, y) => `${Math.round(x)} ${Math.round(y)}`;
const percent = share => `${share * 100}%`;
const zoneName = Intl.DateTimeFormat().resolvedOptions().timeZone, redraws = [];
let isLocal = false;
const fromUTC = (section, time) =>
  isLocal && section.dated ? -new Date(section.start + time).getTimezoneOffset() * 6e4 : 0;
const iso = (section, time) => new Date(section.start + time + fromUTC(section, time)).toISOString();
function tick(section, time, step) {
  const text = iso(section, time);
  const isMidnight = text.slice(11, 23) === "00:00:00.000";
  if (isMidnight && section.dated && step >= 6e4) return text.slice(5, 10);
  return text.slice(11, step < 1e3 ? 21 : step < 6e4 ? 19 : 16);
}
function moment(section, time) {
  const isOneDay = iso(section, 0).slice(0, 10) === iso(section, section.length).slice(0, 10);
  const text = iso(section, time).slice(0, 19).replace("T", " ");
  return isOneDay || !section.dated ? text.slice(11) : text;
}
function nearest(times, time) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1; else high = middle;
  }
  return low > 0 && time - times[low - 1] < times[low] - time ? low - 1 : low;
}
function roundStep(limit) {
  const power = 10 ** Math.floor(Math.log10(limit));
  return [5, 2, 1].map(factor => factor * power).find(step => step <= limit * 1.000001) ?? power / 2;
}
function sums(differences) {
  let sum = 0;
  return differences?.map(difference => difference == null ? null : sum += difference);
}
function read(root) {
  const data = JSON.parse(root.querySelector(".data").textContent);
  for (const name of ["times", "x", "y", "latitude", "longitude", "lineTimes", "lineX", "lineY"])
    data[name] = sums(data[name]);
  if (data.latitude) for (const list of [data.latitude, data.longitude])
    list.forEach((value, index) => { list[index] = value == null ? null : value / 1e5; });
  return data;
}
function coordinates(map, x, y) {
  const east = x * map.unit - map.width / 2 + map.middle[0], north = map.height / 2 - y * map.unit + map.middle[1];
  const distance = Math.hypot(east, north), angle = distance / earthRadius, isNear = distance < 1e3;
  const flat = isNear ? 1 : earthRadius * Math.sin(angle) / distance;
  const depth = isNear ? 0 : earthRadius * (1 - Math.cos(angle));
  const vector = [0, 1, 2].map(axis => {
    const a = (axis + 1) % 3, b = (axis + 2) % 3, up = map.east[a] * map.north[b] - map.east[b] * map.north[a];
    return map.origin[axis] + (map.east[axis] * east + map.north[axis] * north) * flat - up * depth;
  });
  const latitude = Math.atan2(vector[2], (1 - squaredEccentricity) * Math.hypot(vector[0], vector[1]));
  return [latitude, Math.atan2(vector[1], vector[0])].map(angle => angle * 180 / Math.PI);
}
const turned = degrees => degrees - 360 * Math.round(degrees / 360);
function unwrapped(longitudes) {
  let last = longitudes[0];
  return longitudes.map(longitude => last += turned(longitude - last));
}
function crossings(values, step) {
  const found = [];
  for (let index = 0; index < values.length - 1; index++) {
    const a = values[index], b = values[index + 1], high = Math.max(a, b);
    for (let number = Math.ceil(Math.min(a, b) / step); number * step < high && found.length < 100; number++)
      found.push({number, share: (index + (number * step - a) / (b - a)) / (values.length - 1)});
  }
  return found;
}
function edges(view, place) {
  const shares = Array.from({length: 33}, (_, index) => index / 32);
  const at = (x, y) => place(view.x + x * view.width, view.y + y * view.height);
  const across = [shares.map(share => at(0, share)[0]), shares.map(share => at(1, share)[0])];
  const along = [1, 0].map(y => unwrapped(shares.map(share => at(share, y)[1])));
  return [across, along].map(([edge, opposite]) => {
    const span = Math.max(...edge) - Math.min(...edge);
    const step = Math.min(30, roundStep(Math.max(span, 1e-7) / 2.5));
    const figures = crossings(edge, step), others = crossings(opposite, step);
    return {figures, others, step, digits: Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))};
  });
}
function track(root, data) {
  const find = name => root.querySelector(name), map = data.map, box = find(".map");
  if (!map) return null;
  const drawing = box.querySelector("svg"), whole = drawing.viewBox.baseVal, ratio = whole.width / whole.height;
  const all = {x: 0, y: 0, width: whole.width, height: whole.height}, starts = new Set(data.lineStarts);
  const drawn = new Map([".grid", ".arrows"].map(name => [name, box.querySelector(name).getAttribute("d")]));
  const figures = find(".figures"), scale = find(".scale"), still = [...figures.children];
  const stillScale = [scale.style.width, scale.textContent], isSpread = find(".way").classList.contains("spread");
  let view = all;
  function segments(from, to) {
    const found = [], times = data.lineTimes;
    for (let index = 1; index < times.length; index++) {
      const begin = times[index - 1], end = times[index], length = end - begin;
      if (starts.has(index) || end < from || begin > to) continue;
      const at = time => {
        const share = length > 0 ? Math.min(1, Math.max(0, (time - begin) / length)) : 0;
        return [data.lineX, data.lineY].map(list => list[index - 1] + share * (list[index] - list[index - 1]));
      };
      found.push([...at(from), ...at(to)]);
    }
    return found;
  }
  function spread(from, to) {
    return data.lineTimes.map((time, index) =>
      time >= from && time <= to ? `M${data.lineX[index]} ${data.lineY[index]}h0` : "").join("");
  }
  function around(from, to, parts) {
    const seen = data.times.map((time, index) => time >= from && time <= to && data.x[index] != null ? index : -1);
    const indices = seen.filter(index => index >= 0);
    const xs = indices.map(index => data.x[index]).concat(parts.flatMap(part => [part[0], part[2]]));
    const ys = indices.map(index => data.y[index]).concat(parts.flatMap(part => [part[1], part[3]]));
    if (!xs.length) return view;
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const width = Math.max(1.25 * (right - left), 1.25 * (bottom - top) * ratio, 20 / map.unit);
    if (width >= all.width) return all;
    return {x: (left + right - width) / 2, y: (top + bottom - width / ratio) / 2, width, height: width / ratio};
  }
  function arrows(parts) {
    const size = 0.014 * Math.max(view.width, view.height);
    const lengths = parts.map(([x1, y1, x2, y2]) => Math.hypot(x2 - x1, y2 - y1));
    const total = lengths.reduce((sum, length) => sum + length, 0);
    if (total <= 4 * size) return "";
    const distance = total / Math.max(1, Math.min(10, Math.floor(total / (10 * size))));
    let path = "", next = distance / 2, travelled = 0;
    parts.forEach(([x1, y1, x2, y2], index) => {
      const length = lengths[index];
      for (; length > 0 && next <= travelled + length; next += distance) {
        const share = (next - travelled) / length, x = x1 + share * (x2 - x1), y = y1 + share * (y2 - y1);
        const east = (x2 - x1) / length * size, south = (y2 - y1) / length * size;
        path += `M${svg(x - east - 0.6 * south, y - south + 0.6 * east)}L${svg(x, y)}`
          + `L${svg(x - east + 0.6 * south, y - south - 0.6 * east)}`;
      }
      travelled += length;
    });
    return path;
  }
  function label(kind, figure, edge, isSecond) {
    const element = document.createElement("span"), degrees = figure.number * edge.step;
    const value = (kind === "longitude" ? turned(degrees) : degrees).toFixed(edge.digits);
    element.className = isSecond ? `${kind} second` : kind;
    element.style[kind === "latitude" ? "top" : "left"] = percent(figure.share);
    element.textContent = `${value.replace("-", Number(value) ? "−" : "")}°`;
    return element;
  }
  function lines([latitudes, longitudes]) {
    const x = share => view.x + share * view.width, y = share => view.y + share * view.height;
    const pairs = edge => edge.figures.flatMap(figure => {
      const same = list => list.filter(other => other.number === figure.number);
      const other = same(edge.others);
      return other.length === 1 && same(edge.figures).length === 1 ? [[figure.share, other[0].share]] : [];
    });
    return pairs(latitudes).map(([a, b]) => `M${svg(x(0), y(a))}L${svg(x(1), y(b))}`).join("")
      + pairs(longitudes).map(([a, b]) => `M${svg(x(a), y(1))}L${svg(x(b), y(0))}`).join("");
  }
  function frame(parts) {
    const isWhole = view === all;
    drawing.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    drawing.style.setProperty("--shrink", view.width / all.width);
    box.querySelector(".arrows").setAttribute("d", isWhole ? drawn.get(".arrows") : isSpread ? "" : arrows(parts));
    if (isWhole) {
      box.querySelector(".grid").setAttribute("d", drawn.get(".grid"));
      figures.replaceChildren(...still);
      [scale.style.width, scale.textContent] = stillScale;
      return;
    }
    const sides = edges(view, (x, y) => coordinates(map, x, y)), metres = roundStep(view.width * map.unit / 4);
    const labels = ["latitude", "longitude"].flatMap((kind, index) => sides[index].figures
      .filter(figure => figure.share > 0.03 && figure.share < 0.97)
      .map((figure, place) => label(kind, figure, sides[index], place % 2 === 1)));
    box.querySelector(".grid").setAttribute("d", lines(sides));
    figures.replaceChildren(...labels);
    scale.style.width = percent(metres / (view.width * map.unit));
    scale.textContent = metres < 1e3 ? `${metres} m` : `${metres / 1e3} km`;
  }
  return {
    box,
    draw(from, to, isWhole, isFitting) {
      const parts = isWhole ? [] : segments(from, to);
      view = isWhole || !isFitting ? all : around(from, to, parts);
      const path = isSpread ? spread(from, to)
        : parts.map(([x1, y1, x2, y2]) => `M${svg(x1, y1)}L${svg(x2, y2)}`).join("");
      find(".part").setAttribute("d", isWhole ? "" : path);
      frame(parts);
    },
    under(event, from, to) {
      const area = box.getBoundingClientRect(), pixel = view.width / area.width;
      const x = view.x + (event.clientX - area.left) * pixel, y = view.y + (event.clientY - area.top) * pixel;
      let index = -1, least = reach * pixel;
      data.times.forEach((time, candidate) => {
        if (time < from || time > to || data.x[candidate] == null) return;
        const distance = Math.hypot(data.x[candidate] - x, data.y[candidate] - y);
        if (distance < least) [index, least] = [candidate, distance];
      });
      return {index, place: coordinates(map, x, y)};
    },
    mark(index, place) {
      const isOver = index >= 0 && data.x[index] != null;
      find(".here").setAttribute("d", isOver ? `M${data.x[index]} ${data.y[index]}h0` : "");
      const [latitude, longitude] = isOver ? [data.latitude[index], data.longitude[index]] : place ?? [];
      const text = latitude == null ? "" : `${latitude.toFixed(5)}°, ${longitude.toFixed(5)}°`.replaceAll("-", "−");
      find(".place").textContent = isOver ? `${moment(data, data.times[index])}  ${text}` : text;
    },
  };
}
function start(root) {
  const data = read(root), charts = root.querySelector(".charts"), map = track(root, data);
  const plots = [...charts.querySelectorAll(".plot")], axis = charts.querySelector(".x");
  const least = Math.min(data.length, 2000), fit = charts.querySelector("[data-do=fit]");
  let from = 0, to = data.length, isFitting = true;
  function draw() {
    const width = plots.length ? plots[0].clientWidth : 600, span = to - from;
    const count = Math.max(2, Math.floor(width / 90));
    const step = steps.find(step => step * count >= span) || steps.at(-1);
    const midnight = data.start + fromUTC(data, from), first = Math.ceil((midnight + from) / step) * step - midnight;
    const x = time => time / data.length * 1e4;
    let grid = "";
    axis.replaceChildren();
    for (let time = first; time <= to; time += step) {
      grid += `M${x(time)} 0v1000`;
      const endsBesideThePage = (to - time) / span * width < 16;
      if (endsBesideThePage) continue;
      const label = document.createElement("span");
      label.textContent = tick(data, time, step);
      label.style.left = percent((time - from) / span);
      axis.append(label);
    }
    for (const plot of plots) {
      plot.querySelector("svg").setAttribute("viewBox", `${x(from)} 0 ${x(span)} 1000`);
      plot.querySelector(".time").setAttribute("d", grid);
    }
    const isWhole = span >= data.length;
    root.classList.toggle("zoomed", !isWhole);
    map?.draw(from, to, isWhole, isFitting);
    const text = time => iso(data, time).slice(data.dated ? 0 : 11, 19).replace("T", " ");
    const end = data.dated && span < 864e5 ? text(to).slice(11) : text(to);
    charts.querySelector(".when").textContent = isWhole ? "" : `${text(from)} to ${end}`;
  }
  function show(a, span) {
    span = Math.min(data.length, Math.max(least, span));
    from = Math.min(data.length - span, Math.max(0, a));
    to = from + span;
    draw();
  }
  function zoom(factor, share = 0.5) {
    const span = Math.min(data.length, Math.max(least, (to - from) * factor));
    show(from + (to - from - span) * share, span);
  }
  function toggleFit() {
    isFitting = !isFitting;
    fit?.setAttribute("aria-pressed", isFitting);
    draw();
  }
  const move = share => show(from + (to - from) * share, to - from);
  const actions = {in: () => zoom(0.5), out: () => zoom(2), left: () => move(-0.25), right: () => move(0.25),
    all: () => show(0, data.length), fit: toggleFit};
  const keys = {"+": "in", "=": "in", "-": "out", ArrowLeft: "left", ArrowRight: "right", "0": "all", f: "fit"};
  const share = (plot, event) => {
    const box = plot.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  const number = value => value == null ? "–" : value.toFixed(value < 100 ? 1 : 0);
  const whole = value => value == null ? "–" : value.toFixed(0);
  const units = {speed: " m/s", altitude: " m", accuracy: " m", signal: " dB-Hz"};
  function value(name, index) {
    if (name === "satellites") {
      const used = data.used ? `${whole(data.used[index])} used, ` : "";
      return `${used}${whole(data.satellites?.[index])} in view`;
    }
    return number(data[name]?.[index]) + units[name];
  }
  function point(index, place) {
    const isOver = index >= 0, left = isOver ? (data.times[index] - from) / (to - from) : -1;
    for (const plot of plots) {
      const cursor = plot.querySelector(".cursor"), figure = plot.parentElement;
      cursor.style.display = left >= 0 && left <= 1 ? "block" : "none";
      cursor.style.left = percent(left);
      figure.querySelector("output").textContent = isOver
        ? `${moment(data, data.times[index])}  ${value(figure.dataset.name, index)}` : "";
    }
    map?.mark(index, place);
  }
  const hover = share => point(data.times.length ? nearest(data.times, from + share * (to - from)) : -1);
  const pointers = new Map();
  const apart = ([a, b]) => Math.max(8, Math.abs(a - b));
  for (const plot of plots) {
    plot.addEventListener("pointerdown", event => {
      pointers.set(event.pointerId, event.clientX);
      plot.setPointerCapture(event.pointerId);
    });
    plot.addEventListener("pointermove", event => {
      hover(share(plot, event));
      if (!pointers.has(event.pointerId)) return;
      const before = [...pointers.values()], last = pointers.get(event.pointerId);
      pointers.set(event.pointerId, event.clientX);
      const after = [...pointers.values()];
      if (after.length === 1) show(from - (event.clientX - last) / plot.clientWidth * (to - from), to - from);
      if (after.length === 2) zoom(apart(before) / apart(after), share(plot, event));
    });
    for (const end of ["pointerup", "pointercancel"])
      plot.addEventListener(end, event => pointers.delete(event.pointerId));
    plot.addEventListener("pointerleave", () => point(-1));
    plot.addEventListener("dblclick", event => zoom(0.5, share(plot, event)));
    plot.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 0.8 : 1.25, share(plot, event));
    }, {passive: false});
  }
  for (const kind of ["pointermove", "pointerdown"]) map?.box.addEventListener(kind, event => {
    const {index, place} = map.under(event, from, to);
    point(index, place);
  });
  map?.box.addEventListener("pointerleave", () => point(-1));
  charts.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
  for (const button of charts.querySelectorAll("button"))
    button.addEventListener("click", () => actions[button.dataset.do]());
  for (const hidden of charts.querySelectorAll("[hidden]")) hidden.hidden = false;
  addEventListener("resize", draw);
  redraws.push(draw);
  draw();
}
function clock(button) {
  const times = [...document.querySelectorAll("time")].map(element => ({element, text: element.textContent}));
  const hasZone = times.some(({element}) => new Date(Number(element.dataset.at)).getTimezoneOffset() !== 0);
  if (!hasZone) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    isLocal = !isLocal;
    button.setAttribute("aria-pressed", isLocal);
    for (const {element, text} of times) {
      const local = iso({start: Number(element.dataset.at), dated: true}, 0).slice(0, 19).replace("T", " ");
      element.textContent = isLocal ? local : text;
    }
    for (const zone of document.querySelectorAll(".zone")) zone.textContent = isLocal ? zoneName : "UTC";
    for (const redraw of redraws) redraw();
  });
}
for (const root of document.querySelectorAll(".log")) if (root.querySelector(".data")) start(root);
clock(document.querySelector(".clock"));
