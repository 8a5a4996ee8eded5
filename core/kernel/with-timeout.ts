export class TooLate extends Error {}

/** Waits for work of a plugin, but not for ever.
 *  @throws TooLate naming the work and the limit, or what the work throws */
export async function withTimeout<T>(ms: number, what: string, work: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate(`${what} took longer than ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** The same for what may be done already. Anything with a `then` is waited for: statements that libraries build are no Promise, and begin
 *  only then. */
export function inTime<T>(ms: number, what: string, result: T): T {
  if (!isThenable(result)) return result
  return withTimeout(ms, what, Promise.resolve(result)) as T
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}

const TICK_MS = 100

/** The same in ticks of this process's own timer: while something else lets nothing run, or the machine gives it no time, the work cannot end.
 *  @throws TooLate, or what the work throws */
export async function withOwnTime<T>(
  ms: number,
  what: string,
  work: PromiseLike<T> | T,
): Promise<T> {
  const tickMs = Math.min(TICK_MS, ms)
  let leftMs = ms
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      leftMs -= tickMs
      if (leftMs <= 0) reject(new TooLate(`${what} took longer than ${ms} ms`))
    }, tickMs)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearInterval(timer)
  }
}

/** What comes with the gateway is slow, on a small machine, rather than at fault, and the gateway would lack a part. */
export function loadLimitMs(limitMs: number, isExternal: boolean): number {
  return isExternal ? limitMs : 6 * limitMs
}
