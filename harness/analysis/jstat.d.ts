/** The package has no types of its own; this is what is used of it. */
declare module 'jstat' {
  const jstat: { studentt: { inv(probability: number, freedom: number): number } };
  export default jstat;
}
