import { classTable } from '#core'

/** The shape of errors is documented; the meaning of the numbers: (unconfirmed) */
export const classify = classTable({
  'dead-key': [4100],
  denied: [4101],
  // Free calls, credits and packages that are used up.
  'no-money': [4008, 4009, 4024, 4027, 4028, 4031],
  // 4016: the conversation is busy with another answer.
  throttled: [4013, 4016, 4029, 5003],
  'not-found': [4015, 4200, 6001],
  'bad-request': [4000, 4001, 4002, 4005, 4006, 4007, 4010, 4011],
  upstream: [5000, '6*', '7*'],
})
