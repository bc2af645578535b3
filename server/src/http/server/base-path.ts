/** Part of the public URL before `/v1`: `/api` of `https://pets.example/api/v1`; usually empty. */
export function basePathOf(address: string | undefined): string {
  return address === undefined ? '' : new URL(address).pathname.replace(/\/$/, '');
}

/** A proxy may remove the base path or pass it on. */
export function withoutBasePath(url: string, basePath: string): string {
  const rest = url.slice(basePath.length);
  return url.startsWith(basePath) && /^([/?]|$)/.test(rest) ? rest : url;
}

/** Adds the base path to every path in the value of a `Location` or `Link` header. */
export const addBasePath = (value: string, basePath: string) =>
  value.replaceAll(/(^|<)\/(?!\/)/g, `$1${basePath}/`);

/** Headers are a flat list of names and values. */
export function addBasePathToHeaders(headers: string[], basePath: string): string[] {
  if (basePath === '') return headers;
  return headers.map((value, at) =>
    /^(location|link)$/.test(headers[at - 1] ?? '') && at % 2 === 1 ? addBasePath(value, basePath) : value,
  );
}
