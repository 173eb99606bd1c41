const CONFIGURATIONS = ['absent', 'disabled', 'traces', 'active', 'transforms'] as const;
export type Configuration = (typeof CONFIGURATIONS)[number];

/**
 * The configuration that `$WORKLOAD` asks for. @throws Error, in one line, if there is none of that
 * name.
 */
export function configurationFrom({
  WORKLOAD = 'absent',
}: Record<string, string | undefined>): Configuration {
  const found = CONFIGURATIONS.find((each) => each === WORKLOAD);
  if (!found)
    throw new Error(`WORKLOAD is "${WORKLOAD}", but must be one of ${CONFIGURATIONS.join(', ')}`);
  return found;
}
