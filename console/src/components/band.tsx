import type { ReactNode } from 'react';
import { unreachableSince } from '../api/connection.ts';
import type { DeploymentName, PlantedBug } from '../api/console-api.ts';
import { clock } from '../format.ts';
import { Icon } from './icon.tsx';

const labels: Record<DeploymentName, string> = {
  production: 'Production',
  staging: 'Staging',
};

/** The bar at the top of every page: the deployment, or that it is unreachable. */
export function Band({
  deployment,
  plantedBug,
  live,
  children,
}: {
  readonly deployment: DeploymentName | undefined;
  readonly plantedBug?: PlantedBug | undefined;
  readonly live: boolean;
  readonly children?: ReactNode;
}) {
  const since = unreachableSince.use();
  const staging = deployment === 'staging';
  if (since !== undefined) {
    const lastResponseTime = clock(new Date(since).toISOString());
    return (
      <div
        className="flex h-9 items-center justify-center gap-2 bg-danger px-4 font-semibold text-[var(--on-danger)] text-sm"
        role="alert"
      >
        <Icon name="offline" size={16} />
        <span className="truncate">
          No connection{' '}
          <span className="hidden font-normal sm:inline">· showing data from {lastResponseTime} UTC</span>
          <span className="font-normal"> · reconnecting</span>
        </span>
      </div>
    );
  }
  return (
    <div
      className={`flex h-9 items-center justify-between gap-2 sm:gap-4 bg-band px-4 text-on-band text-sm lg:px-6 ${staging ? 'stripes' : ''}`}
    >
      <p className="truncate">
        <strong className="font-display font-bold text-[0.9375rem]">
          {deployment ? labels[deployment] : 'Pet Store'}
        </strong>
        {staging && (
          <span className={`ml-3 ${plantedBug ? '' : 'hidden xs:inline'}`}>
            {plantedBug
              ? `Planted bug in ${[plantedBug.operation, plantedBug.id].filter(Boolean).join(': ')}`
              : 'for testing'}
          </span>
        )}
      </p>
      {children}
      {live && (
        <p className="flex items-center gap-2 whitespace-nowrap">
          <span className="relative grid size-2 place-items-center">
            <span className="absolute size-2 animate-ping rounded-full bg-on-band opacity-40 [animation-duration:3s]" />
            <span className="size-2 rounded-full bg-on-band" />
          </span>
          Live
        </p>
      )}
    </div>
  );
}
