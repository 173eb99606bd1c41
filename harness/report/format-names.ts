/** What a report can be printed as. Apart from what prints it, so that help needs no more than the names. */
export const FORMATS = ['docs', 'full', 'json', 'github-action-benchmark'] as const;
export type Format = (typeof FORMATS)[number];
