import type { Connection } from '../../database/engine.ts';
import type { Writer } from '../../writer/writer.ts';
import { authDatabase } from './auth-database.ts';

export interface AuthOptions {
  readonly db: Connection;
  readonly writer: Writer;
  readonly secret: string;
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** How Better Auth's tables and fields are called here. */
const tables = {
  user: { modelName: 'accounts', fields: { emailVerified: 'email_verified', ...times } },
  account: {
    modelName: 'credentials',
    fields: {
      userId: 'account_id',
      providerId: 'provider_id',
      accountId: 'provider_account_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...times,
    },
  },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'account_id',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      expiresAt: 'expires_at',
      ...times,
    },
  },
};

/** Better Auth's insides, without its HTTP. Loaded when first needed: it takes longer than the rest of a start. */
export async function openAuth({ db, writer, secret }: AuthOptions) {
  const { betterAuth } = await import('better-auth');
  const auth = betterAuth({
    ...tables,
    // The type decides how values are kept, and SQLite's (times as text) is the one both engines share.
    database: { db: authDatabase(db, writer), type: 'sqlite' },
    secret,
    baseURL: 'http://localhost',
    emailAndPassword: { enabled: true },
    advanced: { database: { validateSchema: false } },
    telemetry: { enabled: false },
    logger: { disabled: true },
  });
  return auth.$context;
}

export type Auth = Awaited<ReturnType<typeof openAuth>>;
