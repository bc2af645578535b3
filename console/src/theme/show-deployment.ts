import type { DeploymentName } from '../api/console-api.ts';
import production from '../icons/production.svg';
import staging from '../icons/staging.svg';

const icons: Record<DeploymentName, string> = { production, staging };

/** Whether the page belongs to staging, the only deployment with a sandbox. */
export const isStaging = () => document.documentElement.dataset.deployment === 'staging';

/** Applies the colours and icon of a deployment, and stores it for the first paint of the next page. */
export function showDeployment(name: DeploymentName): void {
  document.documentElement.dataset.deployment = name;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = icons[name];
  try {
    localStorage.setItem('petstore-deployment', name);
  } catch {
    // Without storage, the next page applies it after its first paint.
  }
}
