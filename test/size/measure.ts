import type { App } from '../harness/app.ts'

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

/** Renames twenty channels, each as an admin does. */
export function edits(app: App): () => Promise<void> {
  return async () => {
    for (let id = 1; id <= 20; id += 1) {
      await app.root.put('/api/channel/', { id, name: `renamed ${id}`, priority: id })
    }
  }
}

/** The longest that the event loop stood still meanwhile, in milliseconds. */
export async function blockedBy(
  app: App,
  metricsToken: string,
  work: () => Promise<void>,
): Promise<number> {
  await longestLag(app, metricsToken)
  await work()
  return longestLag(app, metricsToken)
}

/** Reading it starts it anew. */
async function longestLag(app: App, metricsToken: string): Promise<number> {
  const answer = await fetch(`${app.url}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  const line = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await answer.text())
  return Math.round(Number(line?.[1]) * 1000)
}
