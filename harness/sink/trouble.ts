import type { Receiver } from '../result/pair-schema.ts';
import type { Taker } from './listen.ts';

const SLOW_MS = 1_000;

/** Takes requests as a collector in such trouble does; one that is gone is where nobody listens. */
export function inTrouble(intake: Taker, receiver: Receiver): Taker {
  return {
    refuse: (request) => intake.refuse(request),
    async answer(request) {
      if (receiver === 'hangs') return new Promise(() => {});
      if (receiver === 'slow') await Bun.sleep(SLOW_MS);
      if (receiver !== 'refuses') return intake.answer(request);
      await request.bytes();
      return new Response('overloaded', { status: 503 });
    },
  };
}
