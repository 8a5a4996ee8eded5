/** Waits for what comes a moment later: runs `look` until it does not throw, at most `limitMs`; then throws what it threw last. */
export async function eventually<T>(look: () => Promise<T> | T, limitMs = 20_000): Promise<T> {
  const until = Date.now() + limitMs
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
