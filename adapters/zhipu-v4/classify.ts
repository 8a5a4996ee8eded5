import { classTable } from '#core'

/** Codes decide, not statuses: an empty account and a locked one answer 429. Source: docs.z.ai, page "Error codes". */
export const classify = classTable({
  1000: 'dead-key',
  1001: 'dead-key',
  1002: 'dead-key',
  1003: 'dead-key',
  1004: 'dead-key',
  1112: 'dead-key',
  1121: 'dead-key',
  1113: 'no-money',
  1220: 'denied',
  1211: 'not-found',
  1210: 'bad-request',
  1212: 'bad-request',
  1213: 'bad-request',
  1214: 'bad-request',
  1215: 'bad-request',
  1261: 'bad-request',
  1301: 'content',
  1302: 'throttled',
  1303: 'throttled',
  1304: 'throttled',
  1305: 'throttled',
  // The windows of subscription plans.
  1308: 'throttled',
  1309: 'throttled',
  1310: 'throttled',
})
