/** The file or package after such a flag is loaded before the server. */
export const PRELOAD_FLAG = /^(-r|--(require|import|preload|loader|experimental-loader))$/;
const EQUALS_AFTER_FLAG = /(?<=^--(?:require|import|preload|loader|experimental-loader))=/;
const PATH_OR_SOURCE = /^\.{0,2}\/|\.[mc]?[jt]sx?$/;

/** Returns the words, with `--import=FILE` as two. */
export function splitFlags(words: readonly string[]): string[] {
  return words.flatMap((word) => word.split(EQUALS_AFTER_FLAG));
}

/**
 * Returns whether the word names a package that is preloaded. Node preloads no file by the name
 * alone: "newrelic" is the package, beside its settings in newrelic.js.
 */
export function isPreloadedPackage(words: readonly string[], index: number): boolean {
  const isPreloaded = PRELOAD_FLAG.test(words[index - 1] ?? '');
  return isPreloaded && !PATH_OR_SOURCE.test(words[index] ?? '');
}
