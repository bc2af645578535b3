/** The version of the interface that a Pet Store has; undefined of anything else. The client has no call for a document. */
export async function serviceVersion(origin: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${origin}/v2/openapi.json`, { signal: AbortSignal.timeout(10_000) });
    const { info } = (await answer.json()) as { info?: { title?: string; version?: string } };
    return info?.title?.startsWith('Pet Store') ? info.version : undefined;
  } catch {
    return undefined;
  }
}
