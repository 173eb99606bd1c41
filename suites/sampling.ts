import { curve, traced } from './curves/curve.ts';

/** What a trace costs if only a part of the requests has one. */
export default curve(
  { name: 'sampling', title: 'Sampling share', env: { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' } },
  { env: 'OTEL_TRACES_SAMPLER_ARG', values: [0, 0.01, 0.1, 0.25, 0.5, 1], unit: 'sampled request' },
  (share) => traced(0, 0, share),
);
