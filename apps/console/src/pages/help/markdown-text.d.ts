/** Text of a page of the documentation, which the build takes into the console. */
declare module '*.md?raw' {
  const text: string;
  export default text;
}
