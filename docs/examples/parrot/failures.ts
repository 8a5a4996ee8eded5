import { isObject, type RawFailure } from 'tollgate/contract'
import { classTable } from 'tollgate/adapter-kit'

/** Parrot's words for what went wrong. What is not named goes by the status. */
export const classify = classTable({
  'invalid-credentials': ['bad_seed', 'old_seed'],
  'insufficient-funds': ['empty_purse'],
  throttled: ['too_chatty'],
  'not-found': ['no_such_voice'],
  content: ['rude_words'],
  'bad-request': ['odd_script'],
  upstream: ['asleep'],
})

export const unreadable: RawFailure = {
  status: 200,
  message: 'Parrot sent an answer that cannot be read.',
  code: null,
  isKnownShape: true,
}

/** `{"fault": {"word", "text", "wait"}}`, with any status. */
export function faultIn(status: number, body: unknown): RawFailure | undefined {
  const fault = isObject(body) ? body['fault'] : undefined
  if (!isObject(fault)) return undefined
  const { word, text, wait } = fault
  return {
    status,
    message: typeof text === 'string' ? text : 'Parrot gave no reason.',
    code: typeof word === 'string' ? word : null,
    ...(typeof wait === 'number' ? { retryAfterSeconds: wait } : {}),
    isKnownShape: true,
  }
}

export function readError(status: number, body: unknown): RawFailure | undefined {
  return faultIn(status, body)
}
