export const deployments = {
  production: { keyPrefix: 'pst_live_', portOffset: 0 },
  staging: { keyPrefix: 'pst_test_', portOffset: 1 },
} as const;

export type DeploymentName = keyof typeof deployments;
export const deploymentNames = Object.keys(deployments) as DeploymentName[];

export type PublicAddresses = Readonly<Partial<Record<DeploymentName, string>>>;

export interface ServerAddress {
  readonly name: DeploymentName;
  readonly origin: string;
}
