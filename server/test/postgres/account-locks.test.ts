import { describe, expect, it } from 'vitest';
import { closeAccount, resetPassword } from '../../src/accounts/change-account.ts';
import { startSession } from '../../src/accounts/start-and-end-sessions.ts';
import { fastAccounts, signUpAndIn } from '../accounts/browser.ts';
import { postgres } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { during } from './support/during.ts';

const LATER = 2n ** 62n;

describe('a change to an account on PostgreSQL', () => {
  const service = useService(postgres, { accounts: fastAccounts });

  /** Someone new, as the tables have them. */
  async function newcomer() {
    const { email } = await signUpAndIn(service());
    const [row] = await service().database.rows(
      `SELECT accounts.id, password FROM accounts
       JOIN credentials ON credentials.account_id = accounts.id WHERE email = '${email}'`,
    );
    return { email, accountId: String(row?.id), passwordHash: String(row?.password) };
  }

  const visit = { address: '', agent: '', attempts: { reset: [], undo: [] } };
  const times = { created_at: 0n, seen_at: 0n, expires_at: LATER };
  const session = { id: 'late', token: 'late', replaces: null, ...times, ...visit };

  it('waits for a password change, and starts no session with the old one', async () => {
    const { accountId, passwordHash } = await newcomer();
    const outcome = await during(
      service().database,
      `UPDATE credentials SET password = 'another' WHERE account_id = '${accountId}'`,
      () => service().deployment.writer.apply(startSession, { ...session, accountId, passwordHash }),
    );
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
    expect(await service().database.rows(`SELECT id FROM sessions WHERE id = 'late'`)).toEqual([]);
  });

  it('waits for the account’s deletion, and opens no store', async () => {
    const { accountId, passwordHash } = await newcomer();
    const gone = `UPDATE stores SET owner = NULL WHERE owner = '${accountId}'; DELETE FROM accounts WHERE id = '${accountId}'`;
    const outcome = await during(service().database, gone, () =>
      service().deployment.writer.apply(startSession, { ...session, accountId, passwordHash }),
    );
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
    expect(await service().database.rows(`SELECT id FROM stores WHERE owner = '${accountId}'`)).toEqual([]);
  });

  it('waits for the account’s deletion, and records no activity', async () => {
    const { email, accountId } = await newcomer();
    const gone = `DELETE FROM accounts WHERE id = '${accountId}'; DELETE FROM audit WHERE account_id = '${accountId}'`;
    const outcome = await during(service().database, gone, () =>
      service().deployment.writer.apply(resetPassword, { email, newHash: 'new', at: 1n }),
    );
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
    expect(await service().database.rows(`SELECT what FROM audit WHERE account_id = '${accountId}'`)).toEqual(
      [],
    );
  });

  it('that deletes it also ends a temporary store replaced meanwhile', async () => {
    const { accountId, passwordHash } = await newcomer();
    const { database, deployment } = service();
    const [own] = await database.rows(`SELECT id FROM stores WHERE owner = '${accountId}'`);
    await database.exec(
      `INSERT INTO stores (id, revision, next_order_id, next_pet_id, created_at, tenant_id, ends_at, closed_at)
       VALUES (501, 1, 1, 1, 0, ${own?.id}, ${LATER}, NULL), (502, 1, 1, 1, 0, NULL, NULL, ${LATER})`,
    );
    const reset = `UPDATE stores SET closed_at = ${LATER} WHERE id = 501;
      UPDATE stores SET tenant_id = ${own?.id}, ends_at = ${LATER}, closed_at = NULL WHERE id = 502`;
    await during(service().database, reset, () =>
      deployment.writer.apply(closeAccount, { accountId, passwordHash, at: 5n }),
    );
    expect(await database.rows('SELECT ends_at FROM stores WHERE id = 502')).toEqual([{ ends_at: 5n }]);
  });
});
