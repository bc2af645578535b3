/** Virtual module of `build/recorded.ts`: responses of a new store, shown on the landing page. Recorded by `npm run record`. */
declare module 'petstore:recorded' {
  const recorded: Readonly<Record<'list' | 'cancel' | 'shipped', string>>;
  export default recorded;
}
