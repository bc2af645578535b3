/** The environment of a command that is run beside a service of its own: ours, and where that service is. */
export function environmentWith(
  own: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  // A file with another key would contradict the key that is given.
  const { PETSTORE_KEY_FILE: _, ...inherited } = env;
  const { NO_PROXY, no_proxy } = inherited;
  return {
    ...inherited,
    NO_PROXY: withThisMachine(NO_PROXY || no_proxy),
    no_proxy: withThisMachine(no_proxy || NO_PROXY),
    ...own,
  };
}

/** No proxy reaches a service of this machine. A star, which stands for every host, works only alone. */
function withThisMachine(hosts: string | undefined): string {
  if (hosts === '*') return hosts;
  return hosts ? `${hosts},127.0.0.1` : '127.0.0.1';
}
