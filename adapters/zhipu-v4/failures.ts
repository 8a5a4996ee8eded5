import { classTable } from '#adapter-kit'

/** Codes decide, not statuses: an empty account and a locked one answer 429. Source: docs.z.ai, page "Error codes". */
export const classify = classTable({
  'invalid-credentials': [1000, 1001, 1002, 1003, 1004, 1112, 1121],
  // 1309: a subscription plan that has ended.
  'insufficient-funds': [1113, 1309],
  denied: [1220],
  'not-found': [1211],
  'bad-request': [1210, 1212, 1213, 1214, 1215, 1261],
  content: [1301],
  // 1308 and 1310 are the windows of subscription plans.
  throttled: [1302, 1303, 1304, 1305, 1308, 1310],
})
