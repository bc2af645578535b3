import type { Schema } from '../database/schema.ts';

type ColumnType = 'integer' | 'text';

export interface TransferTable {
  readonly name: keyof Schema;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The primary key: rows go in its order, which is the same on every engine. */
  readonly key: readonly string[];
}

const integer = 'integer';
const text = 'text';

/** Every table of a deployment with every column, in an order in which each row finds what it refers to. */
export const transferTables: readonly TransferTable[] = [
  { name: 'secrets', columns: { name: text, value: text }, key: ['name'] },
  {
    name: 'accounts',
    columns: {
      id: text,
      name: text,
      email: text,
      email_verified: integer,
      image: text,
      created_at: text,
      updated_at: text,
    },
    key: ['id'],
  },
  {
    name: 'credentials',
    columns: {
      id: text,
      account_id: text,
      provider_id: text,
      provider_account_id: text,
      access_token: text,
      refresh_token: text,
      id_token: text,
      access_token_expires_at: text,
      refresh_token_expires_at: text,
      scope: text,
      password: text,
      created_at: text,
      updated_at: text,
    },
    key: ['id'],
  },
  {
    name: 'sessions',
    columns: {
      id: text,
      account_id: text,
      token: text,
      ip_address: text,
      user_agent: text,
      expires_at: text,
      created_at: text,
      updated_at: text,
    },
    key: ['id'],
  },
  { name: 'attempts', columns: { bucket: text, count: integer, ends_at: integer }, key: ['bucket'] },
  {
    name: 'stores',
    columns: {
      id: integer,
      owner: text,
      revision: integer,
      next_order_id: integer,
      next_pet_id: integer,
      created_at: integer,
      closed_at: integer,
    },
    key: ['id'],
  },
  {
    name: 'keys',
    columns: {
      hash: text,
      id: text,
      store_id: integer,
      name: text,
      last_four: text,
      created_at: integer,
      expires_at: integer,
      revoked_at: integer,
      last_used_at: integer,
      session_id: text,
    },
    key: ['hash'],
  },
  {
    name: 'pets',
    columns: {
      store_id: integer,
      id: integer,
      name: text,
      category: text,
      stock: integer,
      revision: integer,
    },
    key: ['store_id', 'id'],
  },
  {
    name: 'orders',
    columns: {
      store_id: integer,
      id: integer,
      pet_id: integer,
      quantity: integer,
      ship_date: integer,
      status: text,
      placed_at: integer,
      updated_at: integer,
      revision: integer,
    },
    key: ['store_id', 'id'],
  },
  {
    name: 'order_changes',
    columns: { store_id: integer, revision: integer, order_id: integer },
    key: ['store_id', 'revision'],
  },
  {
    name: 'order_zones',
    columns: { store_id: integer, zone: integer, earliest: integer, latest: integer },
    key: ['store_id', 'zone'],
  },
  {
    name: 'idempotency',
    columns: { store_id: integer, key: text, fingerprint: text, answer: text, expires_at: integer },
    key: ['store_id', 'key'],
  },
];

/** What a start writes by itself: a target that holds only this is as good as empty. */
export const incidentalTables: ReadonlySet<keyof Schema> = new Set(['secrets', 'attempts']);
