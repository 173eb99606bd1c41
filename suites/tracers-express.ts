import {
  bare,
  common,
  datadogSampled,
  elastic,
  newrelic,
  withSentry,
} from './tracers/node/rows.ts';
import { compared, sampled, sentrySampler } from './tracers/rows.ts';
import { LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

/** Tracers of Express: docs/tracers.md. */
export default compared(
  { name: 'tracers-express', title: 'Tracers of Express', remarks: [LARGE_QUEUE_REMARK] },
  [
    bare('express'),
    ...common('express'),
    elastic('express'),
    newrelic('express'),
    ...sampled(withSentry('express'), sentrySampler),
    ...datadogSampled('express'),
  ],
);
