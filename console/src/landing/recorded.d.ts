declare module 'petstore:recorded' {
  const recorded: Readonly<Record<'list' | 'cancel' | 'shipped', string>>;
  export default recorded;
}
