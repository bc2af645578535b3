// Generated from contract/*.yaml and server/src: npm run contract

/** Method, path and summary of each operation. */
export const operationCalls = {
  "v1.listOrders": [
    "GET /v1/store/orders",
    "List all orders"
  ],
  "v1.cancelOrder": [
    "DELETE /v1/store/orders/{orderId}",
    "Cancel an order"
  ],
  "v1.listPets": [
    "GET /v1/pets",
    "List all pets"
  ],
  "v1.getPet": [
    "GET /v1/pets/{petId}",
    "Get a pet"
  ],
  "v2.listOrders": [
    "GET /v2/store/orders",
    "List orders"
  ],
  "v2.placeOrder": [
    "POST /v2/store/orders",
    "Place an order"
  ],
  "v2.getOrder": [
    "GET /v2/store/orders/{orderId}",
    "Get an order"
  ],
  "v2.cancelOrder": [
    "DELETE /v2/store/orders/{orderId}",
    "Cancel an order"
  ],
  "v2.shipOrder": [
    "POST /v2/store/orders/{orderId}/ship",
    "Ship an order"
  ],
  "v2.deliverOrder": [
    "POST /v2/store/orders/{orderId}/deliver",
    "Deliver an order"
  ],
  "v2.getOrderHistory": [
    "GET /v2/store/orders/{orderId}/history",
    "Get the history of an order"
  ],
  "v2.getSummary": [
    "GET /v2/store/summary",
    "Get order counts and stock"
  ],
  "v2.listPets": [
    "GET /v2/pets",
    "List pets"
  ],
  "v2.createPet": [
    "POST /v2/pets",
    "Create a pet"
  ],
  "v2.getPet": [
    "GET /v2/pets/{petId}",
    "Get a pet"
  ],
  "v2.changePet": [
    "PATCH /v2/pets/{petId}",
    "Update a pet"
  ],
  "v2.listEvents": [
    "GET /v2/store/events",
    "List events"
  ],
  "v2.streamEvents": [
    "GET /v2/store/events/stream",
    "Stream events"
  ],
  "v2.listRequests": [
    "GET /v2/store/requests",
    "List recent requests"
  ],
  "v2.listWebhooks": [
    "GET /v2/webhooks",
    "List webhooks"
  ],
  "v2.createWebhook": [
    "POST /v2/webhooks",
    "Create a webhook"
  ],
  "v2.getWebhook": [
    "GET /v2/webhooks/{webhookId}",
    "Get a webhook"
  ],
  "v2.changeWebhook": [
    "PATCH /v2/webhooks/{webhookId}",
    "Update a webhook"
  ],
  "v2.deleteWebhook": [
    "DELETE /v2/webhooks/{webhookId}",
    "Delete a webhook"
  ],
  "v2.rollWebhookSecret": [
    "POST /v2/webhooks/{webhookId}/roll-secret",
    "Roll the secret of a webhook"
  ],
  "v2.testWebhook": [
    "POST /v2/webhooks/{webhookId}/test",
    "Send a test message"
  ],
  "v2.listDeliveries": [
    "GET /v2/webhooks/{webhookId}/deliveries",
    "List deliveries"
  ],
  "v2.redeliver": [
    "POST /v2/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
    "Redeliver a message"
  ],
  "v2.resetSandbox": [
    "POST /v2/sandbox/reset",
    "Reset the store"
  ],
  "v2.exportData": [
    "GET /v2/sandbox/data",
    "Export the data of a store"
  ],
  "v2.openStore": [
    "POST /v2/sandbox/stores",
    "Create a temporary store"
  ],
  "v2.endStore": [
    "DELETE /v2/sandbox/stores/current",
    "Delete a temporary store"
  ],
  "v2.listFaults": [
    "GET /v2/sandbox/faults",
    "List armed faults"
  ],
  "v2.armFaults": [
    "PUT /v2/sandbox/faults",
    "Arm faults"
  ],
  "v2.disarmFaults": [
    "DELETE /v2/sandbox/faults",
    "Disarm all faults"
  ]
} as const;

/** All order statuses. */
export const orderStatuses = [
  "pending",
  "shipped",
  "delivered",
  "cancelled"
] as const;

/** Sort orders of the list of orders. */
export const orderSorts = [
  "id",
  "-id",
  "shipDate",
  "-shipDate"
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

/** Lifetime of console sessions, retention of account events, and length of key names. */
export const accountLimits = {
  "sessionDays": 7,
  "maxSessionDays": 30,
  "events": 1000,
  "eventDays": 90,
  "keyNameLength": 60
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
