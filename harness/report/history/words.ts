import type { SureWords } from '../verdict.ts';

/** What a history calls a cost that surely rose, and one that surely fell. */
export const HISTORY_WORDS: SureWords = { worse: 'dearer', better: 'cheaper' };
