import { classTable } from '#core'

/** Source: cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh. */
export const classify = classTable({
  // A token that is refused even after a new exchange.
  100: 'dead-key',
  110: 'dead-key',
  111: 'dead-key',
  13: 'dead-key',
  14: 'dead-key',
  6: 'denied',
  3: 'not-found',
  // The daily limit; may also mean that the service was not paid for.
  17: 'throttled',
  4: 'throttled',
  18: 'throttled',
  19: 'throttled',
  336100: 'throttled',
  336501: 'throttled',
  336502: 'throttled',
  336503: 'throttled',
  1: 'upstream',
  2: 'upstream',
  15: 'upstream',
  336000: 'upstream',
  336200: 'upstream',
  336001: 'bad-request',
  336002: 'bad-request',
  336003: 'bad-request',
  336004: 'bad-request',
  336005: 'bad-request',
  336006: 'bad-request',
  336007: 'bad-request',
  336008: 'bad-request',
  336102: 'bad-request',
  336103: 'bad-request',
  336105: 'bad-request',
  // The numbers from here on: (unconfirmed)
  336101: 'denied',
  336104: 'content',
  336117: 'content',
  '216*': 'content',
})
