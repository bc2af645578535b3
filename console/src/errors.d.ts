declare module 'petstore:errors' {
  /** By code: its cause and its remedy. */
  const errors: Readonly<Record<string, readonly [cause: string, remedy: string]>>;
  export default errors;
}
