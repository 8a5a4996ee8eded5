import { classTable } from '#adapter-kit'

/** Source: docs.z.ai, page "Error codes". */
export const classify = classTable({
  'invalid-credentials': [1000, 1001, 1002, 1003, 1004, 1110, 1111, 1112, 1121],
  'insufficient-funds': [1113],
  denied: [1220],
  'not-found': [1211, 1221, 1222],
  'bad-request': [1210, 1212, 1213, 1214, 1215, 1261],
  content: [1300, 1301],
  throttled: [1302, 1303, 1304, 1305],
  upstream: [500, 1120, 1200, 1230, 1234],
})
