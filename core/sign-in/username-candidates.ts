const MAX_USERNAME = 64
/** Room for the number that tells namesakes apart. */
const MAX_BASE = MAX_USERNAME - 8
const TRIES = 20

/** Names to try in turn for an account that comes from a provider: the one it has there, else the fallback, then with numbers. */
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

/** Up to the `@`, which belongs to addresses; without what no name may hold. */
function readable(text: string): string {
  const name = (text.normalize('NFKC').split('@', 1)[0] ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
  return Array.from(name).slice(0, MAX_BASE).join('').trim()
}
