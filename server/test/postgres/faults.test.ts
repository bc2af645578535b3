import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PostgresSession } from '../../src/database/postgres-link.ts';
import { orderIds } from '../support/orders.ts';
import { startService, useService } from '../support/service.ts';
import { eventually } from './support/eventually.ts';
import { connect, hold, useOwnPostgres } from './support/own-postgres.ts';
import { expectUnavailable, oneOfEach } from './support/requests.ts';

/** The service's own timeouts, shortened by the address of its database so that the tests need not wait. */
const QUICK = 'lock_timeout=400&statement_timeout=800&query_timeout=1500&idle_in_transaction_session_timeout=1000';
