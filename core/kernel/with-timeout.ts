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
