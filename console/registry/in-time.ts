/** How long code of a plugin may take to load. */
export const loadLimitMs = 10_000

/** Limits the time of some work; a late result is ignored.
 *  @throws Error when the time is over */
export async function inTime<T>(work: Promise<T>, limitMs = loadLimitMs): Promise<T> {
  let timer: number | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = window.setTimeout(
      () => reject(new Error(`It has not been loaded within ${Math.round(limitMs / 1000)} s.`)),
      limitMs,
    )
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    window.clearTimeout(timer)
  }
}
