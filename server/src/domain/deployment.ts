/** Key prefixes and default ports. */
export const deployments = {
  production: { keyPrefix: 'pst_live_', port: 8080 },
  staging: { keyPrefix: 'pst_test_', port: 8081 },
} as const;

export type DeploymentName = keyof typeof deployments;
export const deploymentNames = Object.keys(deployments) as DeploymentName[];

export type PublicAddresses = Readonly<Partial<Record<DeploymentName, string>>>;

export interface ServerAddress {
  readonly name: DeploymentName;
  /** Address without `/v1`: an origin, with a base path if the public URL has one. */
  readonly origin: string;
}
