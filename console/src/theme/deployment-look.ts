import type { DeploymentName } from '../api/account.ts';
import production from '../icons/production.svg';
import staging from '../icons/staging.svg';

const icons: Record<DeploymentName, string> = { production, staging };

/** Staging looks different from the first paint on: colours, title and icon. */
export function wearDeployment(name: DeploymentName): void {
  document.documentElement.dataset.deployment = name;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = icons[name];
  try {
    localStorage.setItem('petstore-deployment', name);
  } catch {
    // Then it is known a moment later.
  }
}
