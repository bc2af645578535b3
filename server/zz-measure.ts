import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '/work/main/server/src/database/sqlite.ts';
import { openPostgres } from '/work/main/server/src/database/postgres.ts';
import { orderPage } from '/work/main/server/src/orders/order-pages.ts';
import pg from 'pg';
const target = process.argv[2]!;
const only = (process.argv[3] ?? '').split(',').filter(Boolean);
const isPg = target.startsWith('postgres');
let get: (sql: string) => Promise<Record<string, bigint>>;
if (isPg) { const c = new pg.Client({ connectionString: target, types: { getTypeParser: () => (v: string) => /^-?\d+$/.test(v) ? BigInt(v) : v } as any }); await c.connect(); get = async (s) => (await c.query(s)).rows[0]; }
else { const raw = new DatabaseSync(target, { readOnly: true }); raw.exec('PRAGMA cache_size=-400000'); get = async (s) => { const st = raw.prepare(s); st.setReadBigInts(true); return st.get() as any; }; }
const storeId = (await get('select store_id as id from orders limit 1')).id;
const db = isPg ? openPostgres(target) : openSqlite(target);
const d = (s: string) => BigInt(Date.parse(s));
const ranges: Record<string, [bigint | undefined, bigint | undefined]> = { none: [undefined, undefined], wide: [d('2020-01-01'), d('2027-01-01')], fromHalf: [d('2023-05-01'), undefined], toHalf: [undefined, d('2023-05-01')], narrow: [d('2023-05-01'), d('2023-05-25')], early60k: [d('2020-02-01'), d('2020-07-01')], late60k: [d('2026-05-01'), d('2026-10-01')] };
const statusSets: Record<string, string[]> = { all: ['pending','shipped','delivered','cancelled'], one: ['shipped'], three: ['pending','shipped','cancelled'] };
const out: any[] = [];
for (const [rn, [from, to]] of Object.entries(ranges)) for (const [sn, statuses] of Object.entries(statusSets)) for (const petId of [undefined, 5n]) for (const sort of ['id','-id','shipDate','-shipDate'] as const) {
  const name = `${rn} ${sn} ${petId?'pet':'-'} ${sort}`;
  if (only.length && !only.some(o => name.startsWith(o) || name.endsWith(' '+o))) continue;
  const where = [`store_id=${storeId}`, ...(sn==='all'?[]:[`status in (${statuses.map(s=>`'${s}'`)})`]), ...(petId?[`pet_id=${petId}`]:[]), ...(from!==undefined?[`ship_date>=${from}`]:[]), ...(to!==undefined?[`ship_date<${to}`]:[])].join(' and ');
  const n = Number((await get(`select count(*) n from orders where ${where}`)).n);
  const dir = sort.startsWith('-') ? 'desc':'asc';
  const order = sort.endsWith('shipDate') ? `ship_date ${dir}, id ${dir}` : `id ${dir}`;
  const at = (i: number) => get(`select ship_date, id from orders where ${where} order by ${order} limit 1 offset ${i}`);
  const posns = [undefined, await at(Math.floor(n/2)), await at(Math.max(0, n-61)), await at(Math.max(0,n-21))].map(p => p && { shipDate: p.ship_date!, id: p.id! });
  const ts = [];
  for (const after of posns) {
    let best = Infinity;
    for (let i=0;i<25;i++) { const t=performance.now(); await orderPage(db,{storeId: storeId!, filter:{statuses: statuses as any, petId, from, to}, sort, after, limit: 51n}); best = Math.min(best, performance.now()-t); if (i>=4 && best>50) break; }
    ts.push(best);
  }
  out.push({name,n,ts,worst: Math.max(...ts.slice(1))/ts[0]!});
}
out.sort((a,b)=>b.worst-a.worst);
for (const o of out) console.log(o.worst.toFixed(2).padStart(8), o.ts.map((t:number)=>t.toFixed(2).padStart(8)).join(' '), String(o.n).padStart(8), o.name);
await db.close(); process.exit(0);
