import { curve, traced } from './curves/curve.ts';

/** What an attribute costs, on one span in the request's own. */
export default curve(
  { name: 'attributes', title: 'Attributes on a span', env: { SPANS: '1' } },
  { env: 'ATTRIBUTES', values: [0, 1, 2, 5, 10, 20], unit: 'attribute' },
  (attributes) => traced(1, attributes),
);
