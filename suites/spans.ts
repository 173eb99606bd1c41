import { curve, traced } from './curves/curve.ts';

const values = [0, 1, 2, 5, 10, 20];

/** What a span costs that is nested in the request's own. */
export default curve(
  { name: 'spans', title: 'Spans in a request' },
  { env: 'SPANS', values, unit: 'span' },
  traced,
);
