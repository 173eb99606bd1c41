import { curve } from './curves/curve.ts';

/** Whether what tracing costs depends on how many connections a server has. */
export default curve(
  { name: 'connections', title: 'Connections' },
  { load: 'connections', values: [1, 10, 25, 50, 100, 200], unit: 'connection' },
);
