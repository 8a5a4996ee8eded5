import { classTable } from '#adapter-kit'

/** Source: cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh. */
export const classify = classTable(
  {
    // 100, 110, 111: a token that is refused even after a new exchange.
    'invalid-credentials': [100, 110, 111, 13, 14],
    denied: [6],
    'not-found': [3],
    // 17 is the daily limit; it may also mean that the service was not paid for.
    throttled: [4, 17, 18, 19, 336100, 336501, 336502, 336503],
    upstream: [1, 2, 15, 336000, 336200],
    'bad-request': [
      336001, 336002, 336003, 336004, 336005, 336006, 336007, 336008, 336102, 336103, 336105,
    ],
  },
  // (unconfirmed)
  { denied: [336101], content: [336104, 336117, '216*'] },
)
