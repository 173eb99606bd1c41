import type { Protocol } from './protocol.ts';

/** The first bytes of what is compressed by gzip, as a file of pprof is. */
const GZIP_MAGIC = [0x1f, 0x8b];

/**
 * Profiles in files of pprof: several as a form, for a Datadog agent, or one alone, for Pyroscope.
 * What is in them is not read.
 */
export const pprof: Protocol = {
  requests: /^POST \/(profiling\/v1\/input|ingest)$/,

  decode({ mediaType, body }) {
    const isForm = mediaType === 'multipart/form-data' && body.length > 0;
    const isFile = GZIP_MAGIC.every((byte, at) => body[at] === byte);
    if (!isForm && !isFile) throw new Error('it holds no profile');
    return { profiles: 1 };
  },

  spanOf() {
    throw new Error('a profile has no spans');
  },
};
