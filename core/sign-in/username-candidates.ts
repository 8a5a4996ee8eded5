import { nameForm, withoutUnseen } from '../accounts/account-rules.ts'
import { nameLength } from '../contract/constants.ts'

/** Leaves room for the number that distinguishes equal names. */
const MAX_BASE = nameLength.max - 8
const TRIES = 20

/** User names to try for a new account from a provider: the name it has there, or else the fallback, then the same with
 *  numbers. */
export function* usernameCandidates(names: {
  wanted: string | undefined
  fallback: string
}): Generator<string> {
  const base = readable(names.wanted ?? '') || names.fallback
  yield base
  for (let number = 2; number < TRIES; number += 1) yield `${base}_${number}`
  for (let tries = 0; tries < TRIES; tries += 1)
    yield `${base}_${Math.floor(Math.random() * 10_000_000)}`
}

/** The part before an `@`, without characters that user names may not contain. */
function readable(text: string): string {
  const name = withoutUnseen(nameForm(text).split('@', 1)[0] ?? '', '').trim()
  return Array.from(name).slice(0, MAX_BASE).join('').trim()
}
