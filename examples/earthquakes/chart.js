// A map with a circle for every earthquake, and a bar for every day, as one SVG.
import { createRequire } from 'node:module';
import { parse, View } from 'vega';
import { compile } from 'vega-lite';

const world = createRequire(import.meta.url)('vega-datasets/data/world-110m.json');
const WIDTH = 880;
const INK = '#33414e';
/** Weak to strong; each also has its colour. */
const CLASSES = { 'below 2.5': '#f6c85f', '2.5 to 4.5': '#ef8a3c', '4.5 to 6': '#d1384a', '6 and more': '#6b1d5c' };
const rankOf = (magnitude) => [2.5, 4.5, 6].filter((from) => magnitude >= from).length;

export async function drawChart(quakes) {
  // The strongest last, so that none hides them.
  const data = quakes
    .map(({ day, magnitude, place, longitude, latitude }) => {
      const rank = rankOf(magnitude);
      const title = `M ${magnitude.toFixed(1)}, ${place}`;
      return { day, magnitude, longitude, latitude, rank, class: Object.keys(CLASSES)[rank], title };
    })
    .sort((a, b) => a.magnitude - b.magnitude);
  const { spec } = compile({
    background: 'white',
    padding: 20,
    data: { values: data },
    vconcat: [map(data), bars()],
    spacing: 28,
    config: {
      font: 'Helvetica, Arial, sans-serif',
      title: { anchor: 'start', frame: 'group', fontSize: 15, color: INK, offset: 12 },
      axis: { labelColor: INK, titleColor: INK, labelFontSize: 12, gridColor: '#e4e9ee', domain: false, ticks: false },
      legend: { labelColor: INK, titleColor: INK, labelFontSize: 12, orient: 'top', direction: 'horizontal' },
      view: { stroke: null },
    },
  });
  return await new View(parse(spec), { renderer: 'none' }).toSVG();
}

const color = {
  field: 'class',
  type: 'ordinal',
  title: 'Magnitude',
  scale: { domain: Object.keys(CLASSES), range: Object.values(CLASSES) },
};

const map = (data) => ({
  title: 'Where the earth shook',
  width: WIDTH,
  height: 430,
  projection: { type: 'equalEarth' },
  layer: [
    { data: { sphere: true }, mark: { type: 'geoshape', fill: '#eef3f7' } },
    {
      data: { values: world, format: { type: 'topojson', feature: 'countries' } },
      mark: { type: 'geoshape', fill: '#d3dbe2', stroke: '#eef3f7', strokeWidth: 0.6 },
    },
    {
      mark: { type: 'circle', opacity: 0.65, stroke: 'white', strokeWidth: 0.4 },
      encoding: {
        longitude: { field: 'longitude', type: 'quantitative' },
        latitude: { field: 'latitude', type: 'quantitative' },
        size: {
          field: 'magnitude',
          type: 'quantitative',
          scale: { type: 'pow', exponent: 3, domain: [0, 6.5], range: [6, 420], clamp: true },
          legend: null,
        },
        color,
        description: { field: 'title' },
      },
    },
    {
      data: { values: labelled(data) },
      mark: { type: 'text', dx: 13, align: 'left', fontSize: 12, fontWeight: 'bold', color: INK },
      encoding: {
        longitude: { field: 'longitude', type: 'quantitative' },
        latitude: { field: 'latitude', type: 'quantitative' },
        text: { field: 'magnitude', format: '.1f' },
      },
    },
  ],
});

/** The strong ones; of those at one place the strongest, for their numbers would lie on each other. */
function labelled(data) {
  const places = new Map();
  for (const quake of data.filter(({ rank }) => rank === 3))
    places.set(`${Math.round(quake.longitude)} ${Math.round(quake.latitude)}`, quake);
  return [...places.values()];
}

const bars = () => ({
  title: 'How many on each day (UTC; the first and the last are not whole)',
  width: WIDTH,
  height: 190,
  layer: [
    {
      mark: { type: 'bar', width: { band: 0.62 } },
      encoding: {
        y: { aggregate: 'count', title: null, axis: { tickCount: 4 } },
        color,
        order: { field: 'rank', type: 'quantitative', sort: 'descending' },
      },
    },
    {
      mark: { type: 'text', dy: -8, fontSize: 12, fontWeight: 'bold', color: INK },
      encoding: { y: { aggregate: 'count' }, text: { aggregate: 'count' } },
    },
  ],
  encoding: {
    x: { field: 'day', type: 'ordinal', title: null, axis: { labelAngle: 0, grid: false, labelPadding: 6 } },
  },
});
