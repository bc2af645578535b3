/** The environment of a child command: ours, plus the variables of its private service. */
export function environmentWith(
  variables: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  // PETSTORE_KEY_FILE would conflict with the PETSTORE_KEY that is set here.
  const { PETSTORE_KEY_FILE: _, ...inherited } = env;
  const { NO_PROXY, no_proxy } = inherited;
  return {
    ...inherited,
    NO_PROXY: addLoopback(NO_PROXY || no_proxy),
    no_proxy: addLoopback(no_proxy || NO_PROXY),
    ...variables,
  };
}

/** Excludes the local service from proxying. `*` (every host) is only valid alone. */
function addLoopback(hosts: string | undefined): string {
  if (hosts === '*') return hosts;
  return hosts ? `${hosts},127.0.0.1` : '127.0.0.1';
}
