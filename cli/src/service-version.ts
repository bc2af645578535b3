/** The v2 API version of a Pet Store; undefined if the server is not one. */
export async function serviceVersion(origin: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${origin}/v2/openapi.json`, { signal: AbortSignal.timeout(10_000) });
    const { info } = (await response.json()) as { info?: { title?: string; version?: string } };
    return info?.title?.startsWith('Pet Store') ? info.version : undefined;
  } catch {
    return undefined;
  }
}
