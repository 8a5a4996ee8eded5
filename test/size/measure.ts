export interface Spread {
  p50: number
  p95: number
}

/** Milliseconds of one after another. A first one that warms up does not count. */
export async function spreadOf(rounds: number, ask: () => Promise<unknown>): Promise<Spread> {
  await ask()
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await ask()
    times.push(performance.now() - start)
  }
  times.sort((left, right) => left - right)
  const at = (part: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
  return { p50: at(0.5), p95: at(0.95) }
}
