// Runs in the page: draws each pair of flame graphs from the data beside it.
import flamegraph from 'd3-flame-graph';
import { select } from 'd3-selection';

const LEAST_PX = 1;
const GREY = [225, 225, 225];
const ORANGE = [255, 150, 50];
const BLUE = [90, 160, 255];

for (const place of document.querySelectorAll('.flame')) {
  const { side, data } = place.dataset;
  const tree = JSON.parse(document.getElementById(data).textContent);
  const chart = flamegraph()
    .width(place.clientWidth)
    .minFrameSize(LEAST_PX)
    .transitionDuration(0)
    .setColorMapper(({ data }) => colour(data))
    .setLabelHandler(({ data }) => label(data))
    .setDetailsElement(place.nextElementSibling);
  select(place).datum(ofSide(tree, side)).call(chart);
}

/** The same tree with the times of one side, and only what has some there. */
function ofSide(node, side) {
  const children = node.children.filter((child) => child[side] > 0).map((child) => ofSide(child, side));
  return { ...node, value: node[side], children };
}

/** Orange for a function that grew, blue for one that shrank, the stronger the more; grey if neither is sure. */
function colour({ change }) {
  const to = change < 0 ? BLUE : ORANGE;
  const share = Math.min(1, Math.abs(change));
  return `rgb(${GREY.map((from, index) => Math.round(from + share * (to[index] - from))).join()})`;
}

function label({ name, owner, baseline, scenario }) {
  return `${name}, ${owner}: ${baseline.toFixed(3)} µs in the baseline, ${scenario.toFixed(3)} µs here`;
}
