/**
 * Where a service is, from its base address: `http://127.0.0.1:8080/v1`, or the same with `/v2`, without either, or with a
 * slash at the end. What is no such address is undefined.
 */
export function originOf(baseAddress: string): string | undefined {
  const url = URL.canParse(baseAddress) ? new URL(baseAddress) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    return undefined;
  return url.href.replace(/(\/v[12])?\/*$/, '');
}
