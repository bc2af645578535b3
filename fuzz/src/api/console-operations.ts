import type { Operation, Schema } from './operations.ts';

const text = (maxLength: number): Schema => ({ type: 'string', minLength: 1, maxLength });
const email: Schema = { type: 'string', format: 'email' };
const body = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Operations of the console's own API, which has no document: those that can be called repeatedly. */
const bodies: Record<string, Schema | null> = {
  'POST /sign-up': body({ email, password: text(200) }),
  'POST /sign-in': body({ email, password: text(200) }),
  'POST /open-with-key': body({ key: text(100) }),
  'POST /change-password': body({ currentPassword: text(200), newPassword: text(200) }),
  'GET /session': null,
  'POST /session': null,
  'GET /keys': null,
  'POST /keys': body({ name: text(60) }),
  'POST /keys/{keyId}/roll': body({ overlap: { type: 'string', enum: ['now', '1h', '24h'] } }),
  'DELETE /keys/{keyId}': null,
};

const prefix = '/console/api';

export const consoleOperations: readonly Operation[] = Object.entries(bodies).map(([name, schema]) => {
  const [method = '', template = ''] = name.split(' ');
  return {
    prefix,
    name: `console ${name}`,
    method,
    template,
    parameters: template.includes('{keyId}') ? [{ name: 'keyId', in: 'path', schema: text(40) }] : [],
    bodies: schema ? { 'application/json': schema } : {},
    responses: undefined,
    credential: 'session',
  };
});
