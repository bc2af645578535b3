/** The environment of a child command: ours, plus the variables of its private service. */
export function environmentWith(
  own: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  // Would conflict with the PETSTORE_KEY set here.
  const { PETSTORE_KEY_FILE: _, ...inherited } = env;
  const { NO_PROXY, no_proxy } = inherited;
  return {
    ...inherited,
    NO_PROXY: withLoopback(NO_PROXY || no_proxy),
    no_proxy: withLoopback(no_proxy || NO_PROXY),
    ...own,
  };
}

/** Excludes the local service from proxying. `*` (every host) is only valid alone. */
function withLoopback(hosts: string | undefined): string {
  if (hosts === '*') return hosts;
  return hosts ? `${hosts},127.0.0.1` : '127.0.0.1';
}
