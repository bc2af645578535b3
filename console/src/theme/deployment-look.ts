import type { DeploymentName } from '../api/account.ts';

/** Staging looks different from the first paint on: colours, title and icon. Origins keep it apart. */
export function wearDeployment(name: DeploymentName): void {
  document.documentElement.dataset.deployment = name;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const other = document.querySelector<HTMLLinkElement>(`link[data-icon="${name}"]`);
  if (icon && other) icon.href = other.href;
  try {
    localStorage.setItem('petstore-deployment', name);
  } catch {
    // Then it is known a moment later.
  }
}
