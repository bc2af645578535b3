import { deployments } from '../domain/deployment.ts';
import { KEY_LENGTH_AFTER_PREFIX } from '../domain/key-format.ts';
import { DEPRECATED_SINCE, DEPRECATION_LINKS, SUNSET } from '../http/guards/deprecation.ts';
import { DEMO_NOTICE, openApiDocument, requiredHeader, tags } from '../http/openapi/openapi.ts';
import { commonHeaders, ifNoneMatchParameter } from '../http/openapi/responses.ts';
import { pathsOf } from '../http/operations/operation.ts';
import { MAX_HEADER_BYTES, MAX_URL_LENGTH } from '../http/server/raw-errors.ts';
import { v1Features } from './operations.ts';
import { commonResponses, petExample, schemas } from './schemas.ts';

const introduction = [
  `An HTTP/JSON API for a pet store: list its orders and pets, and cancel orders. ${DEMO_NOTICE}`,
  `Every operation requires an API key as a bearer token: \`Authorization: Bearer <API_KEY>\`. Sign up in the [console](/console) and copy your key there. A key is \`${deployments.production.keyPrefix}\` on production or \`${deployments.staging.keyPrefix}\` on staging, followed by ${KEY_LENGTH_AFTER_PREFIX} letters and digits. It gives access to exactly one store of one deployment, and does not expire unless you set an expiry when you create it.`,
  'An order is `pending` from the time it is placed until it ships. It moves from `pending` to `shipped` to `delivered`, or from `pending` to `cancelled`; there are no other transitions. Version 1 does not return the status: `complete` is true once the order is delivered, and a cancelled order no longer exists.',
  'Version 1 is stable and frozen: it has these four operations and no others. For filters and pagination, use [version 2](/docs/v2), a beta API for the same stores with the same keys. To place orders, use version 2 or the console.',
  `Every error response is an Error object: branch on its \`code\`. Besides the errors of each operation, any request can get 400 (not valid HTTP), 405 (the path does not support the method; see \`Allow\`), 408 (the request did not arrive in time), 414 (request target longer than ${MAX_URL_LENGTH / 1024} KiB), 431 (headers larger than ${MAX_HEADER_BYTES / 1024} KiB) or 501 (unknown HTTP method).`,
  '`HEAD` works wherever `GET` does. Ids are 64-bit integers, up to 9223372036854775807: use a JSON parser that does not round them.',
].join('\n\n');

/** Version 1 of the API, published as `contract/v1.yaml`. */
export const buildV1Document = openApiDocument({
  prefix: '/v1',
  info: {
    version: '1.0.0',
    summary: 'The orders and pets of one store.',
    description: introduction,
  },
  tags,
  paths: pathsOf(v1Features),
  components: {
    parameters: { IfNoneMatch: ifNoneMatchParameter },
    headers: {
      ...commonHeaders,
      Deprecation: requiredHeader(
        'When the operation was deprecated (RFC 9745).',
        20,
        `@${DEPRECATED_SINCE.getTime() / 1000}`,
      ),
      Sunset: requiredHeader('When the operation is removed (RFC 8594).', 29, SUNSET.toUTCString()),
      Link: requiredHeader(
        'Links to the deprecation notice and to the v2 operation that replaces this one.',
        32_768,
        `${DEPRECATION_LINKS}, </v2/pets/${petExample.id}>; rel="successor-version"`,
      ),
    },
    schemas,
    responses: commonResponses,
  },
});

export const v1Document = buildV1Document();
