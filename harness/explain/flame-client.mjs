// Runs in the page: draws the flame graphs from the data beside them.
import flamegraph from 'd3-flame-graph';
import { select } from 'd3-selection';

const GREY = [225, 225, 225];
const ORANGE = [255, 150, 50];
const BLUE = [90, 160, 255];

for (const place of document.querySelectorAll('.flame')) {
  const { side, data } = place.dataset;
  const chart = flamegraph()
    .width(place.clientWidth)
    .minFrameSize(1)
    .transitionDuration(0)
    .setColorMapper(({ data }) => colour(data))
    .setLabelHandler(({ data }) => label(data))
    .setDetailsElement(place.nextElementSibling);
  select(place)
    .datum(ofSide(JSON.parse(document.getElementById(data).textContent), side))
    .call(chart);
}

/** The same tree with the times of one side, and only what has some there. */
function ofSide(node, side) {
  const children = node.children.filter(({ us }) => us[side] > 0).map((child) => ofSide(child, side));
  return { ...node, value: node.us[side], children };
}

/** Orange for a function that grew, blue for one that shrank, the stronger the more; grey if neither is sure. */
function colour({ change }) {
  const to = change < 0 ? BLUE : ORANGE;
  const share = Math.min(1, Math.abs(change));
  return `rgb(${GREY.map((from, index) => Math.round(from + share * (to[index] - from))).join()})`;
}

function label({ name, owner, us }) {
  return `${name}, ${owner}: ${us.baseline.toFixed(3)} µs in the baseline, ${us.scenario.toFixed(3)} µs in the scenario`;
}
