import { classTable } from '#core'

/** The shape of errors is documented; the meaning of the numbers: (unconfirmed) */
export const classify = classTable({
  4100: 'dead-key',
  4101: 'denied',
  // Free calls, credits and packages that are used up.
  4008: 'no-money',
  4009: 'no-money',
  4024: 'no-money',
  4027: 'no-money',
  4028: 'no-money',
  4031: 'no-money',
  4013: 'throttled',
  // The conversation is busy with another answer.
  4016: 'throttled',
  4029: 'throttled',
  5003: 'throttled',
  4015: 'not-found',
  4200: 'not-found',
  6001: 'not-found',
  4000: 'bad-request',
  4001: 'bad-request',
  4002: 'bad-request',
  4005: 'bad-request',
  4006: 'bad-request',
  4007: 'bad-request',
  4010: 'bad-request',
  4011: 'bad-request',
  5000: 'upstream',
  '6*': 'upstream',
  '7*': 'upstream',
})
