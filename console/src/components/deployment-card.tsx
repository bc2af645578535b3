import { useQuery } from '@tanstack/react-query';
import type { Deployment } from '../api/console-api.ts';
import { type Health, healthQuery } from '../api/deployments.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';

const healthLabels: Record<Health, string> = {
  healthy: 'Healthy',
  unhealthy: 'Unhealthy',
  unreachable: 'Unreachable',
};

/** A deployment's base URL and health. */
export function DeploymentCard({
  deployment,
  isCurrent,
}: {
  readonly deployment: Deployment;
  readonly isCurrent: boolean;
}) {
  const { data: health } = useQuery(healthQuery(deployment, isCurrent));
  const { name, origin, apiBase } = deployment;
  const isHealthy = health === 'healthy';
  return (
    <section aria-label={name} className="panel overflow-hidden">
      <div
        className={`h-2.5 ${name === 'staging' ? 'stripes bg-[oklch(0.83_0.15_78)]' : 'bg-[oklch(0.36_0.075_160)]'}`}
      />
      <div className="p-5 sm:p-6">
        <div className="flex items-center justify-between gap-3">
          <h3 className="text-xl capitalize">
            {name}
            {isCurrent && (
              <span className="ml-2 inline-block font-normal font-sans text-ink-soft text-sm normal-case tracking-normal">
                current
              </span>
            )}
          </h3>
          <p
            role="status"
            className={`flex min-w-24 items-center justify-end gap-1.5 font-semibold text-sm ${isHealthy ? 'text-delivered' : health ? 'text-danger' : 'text-ink-soft'}`}
          >
            {health && <Icon name={isHealthy ? 'check' : 'warning'} size={16} />}
            {health ? healthLabels[health] : 'Checking…'}
          </p>
        </div>
        <div className="@container mt-3 flex items-center justify-between gap-3 rounded-xl bg-sunken py-1.5 pr-1.5 pl-3.5">
          <code className="min-w-0 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{apiBase}</code>
          <CopyButton text={apiBase} name={`${name} base URL`} compact />
        </div>
        {!isCurrent && (
          <a href={`${origin}/console`} className="link mt-3 inline-block text-sm">
            Open {name} console
          </a>
        )}
      </div>
    </section>
  );
}
