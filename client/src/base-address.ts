/**
 * Parses a base address: `http://127.0.0.1:8080/v1`, with `/v2` or without a version, with or without a trailing slash.
 * Undefined if it is invalid.
 */
export function originOf(baseAddress: string): string | undefined {
  const url = URL.canParse(baseAddress) ? new URL(baseAddress) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    return undefined;
  return url.href.replace(/(\/v[12])?\/*$/, '');
}
