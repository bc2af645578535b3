declare module 'petstore:errors' {
  /** Cause and remedy of each error code. */
  const errors: Readonly<Record<string, readonly [cause: string, remedy: string]>>;
  export default errors;
}

declare module 'petstore:guides' {
  const guides: ReadonlyArray<readonly [path: string, title: string, about: string]>;
  export default guides;
}
