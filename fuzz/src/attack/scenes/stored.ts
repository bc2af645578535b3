import { attempt, pause } from '../clients.ts';
import { production, type Scene } from '../scene.ts';
import { countRows, withDatabase } from '../seed.ts';

/** The event limit of a store. */
const MAX_EVENTS = 1_000_000;
/** More than one interval of the job that deletes old events: ten minutes. */
const PRUNING_MS = 660_000;

export const retention: readonly Scene[] = [
  {
    name: '{n} events over the limit, and one more change',
    count: 10_000,
    allowedMegabytes: () => 32,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const change = () => attempt(origin, '/v2/pets/1', { method: 'PATCH', key, body: '{"stock":7}' });
      await change();
      addEvents(program, MAX_EVENTS + count);
      return async () => {
        await change();
        const until = performance.now() + PRUNING_MS;
        let rows = countRows(program, 'changes');
        while (rows > MAX_EVENTS && performance.now() < until) {
          await pause(500);
          rows = countRows(program, 'changes');
        }
        return {
          text: `${rows} rows stored`,
          problem: rows > MAX_EVENTS ? `more than ${MAX_EVENTS.toLocaleString('en')} are stored` : undefined,
        };
      };
    },
  },
];

/** Appends copies of the newest change, with the revisions that follow it. */
function addEvents(program: Parameters<typeof withDatabase>[0], count: number): void {
  withDatabase(program, (database) => {
    const columns = database
      .prepare("SELECT name FROM pragma_table_info('changes') WHERE name NOT IN ('store_id', 'revision')")
      .all()
      .map(({ name }) => `c.${name}`)
      .join();
    const names = columns.replaceAll('c.', '');
    const newest = '(SELECT * FROM changes ORDER BY revision DESC LIMIT 1)';
    database.exec(`BEGIN IMMEDIATE;
      INSERT INTO changes (store_id, revision, ${names})
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        SELECT c.store_id, c.revision + n.i, ${columns} FROM n, ${newest} AS c;
      UPDATE stores SET revision = revision + ${count} WHERE id = (SELECT store_id FROM ${newest});
      COMMIT`);
  });
}
