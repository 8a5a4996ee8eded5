import { classTable } from 'tollgate/adapter-kit'

/** Acme's own words for what went wrong. The class decides about retries and automatic disabling; what is not named goes by the status. */
export const classify = classTable({
  'invalid-credentials': ['bad_key'],
  'insufficient-funds': ['no_credit'],
  throttled: ['slow_down'],
})
