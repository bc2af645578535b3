import { openDeployment } from '../../../server/src/app/open-deployment.ts';
import { newKey } from '../../../server/src/keys/manage-keys.ts';
import { openStore } from '../../../server/src/provisioning/open-store.ts';

/** Creates stores on PostgreSQL as `petstore keys create` does, and prints their keys. */
const [database = '', count] = process.argv.slice(2);
const deployments = ['staging'] as const;
await using deployment = await openDeployment('staging', {
  deployments,
  data: '',
  database,
  acceptUnsafe: false,
});
for (let opened = 0; opened < Number(count); opened++) {
  const { key, details } = newKey('staging', 'bench');
  await deployment.writer.apply(openStore, { owner: null, key: details, at: BigInt(Date.now()) });
  console.log(key);
}
