import { type Analysis, rowsOf } from './model.ts';

/** True against measured cost, in µs of CPU per request, for every row whose cost is known. Nulls if it was not measured. */
export function calibrationRows({ tasks }: Analysis) {
  return tasks.flatMap((task) =>
    rowsOf(task).flatMap(({ title, trueCostUs: trueUs, change }) => {
      if (trueUs === null) return [];
      const measured = change.cpuUs?.estimate ?? null;
      const errorUs = measured && measured.value - trueUs;
      const isCovered = measured && measured.low <= trueUs && trueUs <= measured.high;
      return [{ task: task.title, title, trueUs, measured, errorUs, isCovered }];
    }),
  );
}
