// Generated from contract/*.yaml and server/src: npm run contract

/** All order statuses. */
export const orderStatuses = [
  "pending",
  "shipped",
  "delivered",
  "cancelled"
] as const;

/** The status before and after each transition. */
export const transitions = {
  "ship": {
    "from": "pending",
    "to": "shipped"
  },
  "deliver": {
    "from": "shipped",
    "to": "delivered"
  },
  "cancel": {
    "from": "pending",
    "to": "cancelled"
  }
} as const;

/** Event types of webhooks. */
export const eventTypes = [
  "order.placed",
  "order.shipped",
  "order.delivered",
  "order.cancelled",
  "pet.created",
  "pet.changed",
  "store.reset"
] as const;

/** Limits of input fields. */
export const inputLimits = {
  "quantity": {
    "minimum": 1,
    "maximum": 1000
  },
  "name": {
    "maxLength": 100
  },
  "category": {
    "maxLength": 50
  },
  "stock": {
    "minimum": 0,
    "maximum": 1000000000
  },
  "orders": {
    "minimum": 1,
    "maximum": 1000000
  },
  "expiresIn": {
    "minimum": 60,
    "maximum": 86400
  },
  "times": {
    "minimum": 1,
    "maximum": 1000000
  },
  "code": {
    "minimum": 400,
    "maximum": 599
  },
  "ms": {
    "minimum": 0,
    "maximum": 30000
  },
  "retryAfter": {
    "minimum": 0,
    "maximum": 3600
  },
  "url": {
    "maxLength": 2000
  }
} as const;

/** Lifetime of console sessions, and retention of account events. */
export const accountLimits = {
  "sessionDays": 7,
  "maxSessionDays": 30,
  "events": 1000,
  "eventDays": 90
} as const;

/** Data sets of the sandbox. */
export const dataSets = [
  "default",
  "empty",
  "int64",
  "large"
] as const;

/** Fault kinds and their parameter. */
export const faultParameters = {
  "status": "code",
  "delay": "ms",
  "slow": "ms",
  "drop": null,
  "reset": null,
  "truncate": null,
  "garbage": null,
  "lost-answer": null,
  "stale-connection": null
} as const;

/** Operations that support faults, and their documented error statuses. */
export const documentedErrors = {
  "v1.listOrders": [
    400,
    401,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v1.cancelOrder": [
    400,
    401,
    403,
    404,
    405,
    408,
    409,
    414,
    429,
    431,
    500,
    503
  ],
  "v1.listPets": [
    400,
    401,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v1.getPet": [
    400,
    401,
    404,
    405,
    408,
    410,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.listOrders": [
    400,
    401,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.placeOrder": [
    400,
    401,
    403,
    405,
    408,
    409,
    413,
    414,
    415,
    422,
    429,
    431,
    500,
    503
  ],
  "v2.getOrder": [
    400,
    401,
    404,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.cancelOrder": [
    400,
    401,
    403,
    404,
    405,
    408,
    409,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.shipOrder": [
    400,
    401,
    403,
    404,
    405,
    408,
    409,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.deliverOrder": [
    400,
    401,
    403,
    404,
    405,
    408,
    409,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.getOrderHistory": [
    400,
    401,
    404,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.getSummary": [
    400,
    401,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.listPets": [
    400,
    401,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.createPet": [
    400,
    401,
    403,
    405,
    408,
    409,
    413,
    414,
    415,
    429,
    431,
    500,
    503
  ],
  "v2.getPet": [
    400,
    401,
    404,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.changePet": [
    400,
    401,
    403,
    404,
    405,
    408,
    413,
    414,
    415,
    429,
    431,
    500,
    503
  ],
  "v2.listEvents": [
    400,
    401,
    405,
    408,
    410,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.streamEvents": [
    400,
    401,
    405,
    408,
    410,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.listRequests": [
    400,
    401,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.listWebhooks": [
    400,
    401,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.createWebhook": [
    400,
    401,
    403,
    405,
    408,
    409,
    413,
    414,
    415,
    422,
    429,
    431,
    500,
    503
  ],
  "v2.getWebhook": [
    400,
    401,
    404,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.changeWebhook": [
    400,
    401,
    403,
    404,
    405,
    408,
    413,
    414,
    415,
    422,
    429,
    431,
    500,
    503
  ],
  "v2.deleteWebhook": [
    400,
    401,
    403,
    404,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.rollWebhookSecret": [
    400,
    401,
    403,
    404,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.testWebhook": [
    400,
    401,
    403,
    404,
    405,
    408,
    409,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.listDeliveries": [
    400,
    401,
    404,
    405,
    408,
    414,
    429,
    431,
    500,
    503
  ],
  "v2.redeliver": [
    400,
    401,
    403,
    404,
    405,
    408,
    409,
    414,
    429,
    431,
    500,
    503
  ]
} as const;
