import type { FailureClass, RawFailure } from '#core'
import { classTable } from '#adapter-kit'

/** The shape of errors is documented; the meaning of the numbers: (unconfirmed) */
const byCode = classTable({
  'invalid-credentials': [4100],
  denied: [4101],
  // Free calls, credits and packages that are used up.
  'insufficient-funds': [4008, 4009, 4024, 4027, 4028, 4031],
  // 4016: the conversation is busy with another answer.
  throttled: [4013, 4016, 4029, 5003],
  'not-found': [4015, 4200, 6001],
  'bad-request': [4000, 4001, 4002, 4005, 4006, 4007, 4010, 4011],
  upstream: [5000],
})

/** Six digits are of the services behind. Longer codes repeat what the status says: 700012006 is a refused token with a 401. (unconfirmed) */
export function classify(failure: RawFailure): FailureClass | undefined {
  return /^[67]\d{5}$/.test(String(failure.code)) ? 'upstream' : byCode(failure)
}
