/** How long the code of a plugin may be on its way. */
export const loadLimitMs = 10_000

/** @throws Error when the work takes longer than it may; whatever comes later is not waited for */
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
