export const examples = `
Examples:
  petstore serve                                     run both deployments on ports 8080 and 8081
  petstore serve --port 9000 --data /var/lib/pets    use other ports and another data directory
  petstore login --profile staging --key pst_test_…  save a URL and key as a profile
  petstore orders list --profile staging --status pending
  petstore orders place --pet 1 --quantity 2 --json

Flags with an environment variable in brackets can also be set through it; the flag takes precedence.
Run petstore COMMAND --help for details about a command.
`;

export const exitCodes = `
Exit codes:
  0  success
  1  the command failed
  2  usage error
  3  the service is unreachable or temporarily unavailable: retry later
  4  the key was rejected, or lacks permission
  5  not found
  6  conflict with the current state of the store
  7  the service rejected the request for another reason
`;

/** Lays out short names in columns. */
export function columnsOf(names: readonly string[]): string {
  const width = Math.max(...names.map(({ length }) => length)) + 2;
  const perLine = Math.floor(100 / width);
  const lines = Array.from({ length: Math.ceil(names.length / perLine) }, (_, line) =>
    names.slice(line * perLine, (line + 1) * perLine),
  );
  return lines.map((line) => `  ${line.map((name) => name.padEnd(width)).join('')}`.trimEnd()).join('\n');
}
