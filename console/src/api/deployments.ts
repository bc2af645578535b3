import { queryOptions } from '@tanstack/react-query';
import { basePath, publicPath } from '../base-path.ts';
import type { Deployment, DeploymentName } from './console-api.ts';

interface Document {
  servers: Array<{ url: string; description: DeploymentName }>;
}

/** The deployments from the OpenAPI document; the first one serves this page. */
export async function readDeployments(): Promise<Deployment[]> {
  const document = (await (await fetch(publicPath('/v1/openapi.json'))).json()) as Document;
  return document.servers.map(({ url, description }) => ({
    name: description,
    origin: url.replace(/\/v1$/, ''),
    apiBase: url,
  }));
}

export const deploymentsQuery = queryOptions({ queryKey: ['deployments'], queryFn: readDeployments });

export type Health = 'healthy' | 'unhealthy' | 'unreachable';

/** Checks whether a deployment responds and can reach its database. */
export async function readHealth(origin: string, isCurrent: boolean): Promise<Health> {
  try {
    const response = await fetch(`${isCurrent ? basePath : origin}/readyz`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(5_000),
    });
    return response.ok ? 'healthy' : 'unhealthy';
  } catch {
    return 'unreachable';
  }
}

export const healthQuery = ({ name, origin }: Deployment, isCurrent: boolean) =>
  queryOptions({
    queryKey: ['health', name],
    queryFn: () => readHealth(origin, isCurrent),
    refetchInterval: 10_000,
    staleTime: 0,
  });
