// Reads the metrics of a gateway as a scraper does.

/** The METRICS_TOKEN of a gateway whose metrics are read. */
export const metricsToken = 'metrics-of-the-test'

export async function readMetrics({ url }: { url: string }): Promise<string> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  return (await fetch(`${url}/metrics`, { headers })).text()
}

/** The value of one sample, named with its labels; NaN if there is none. */
export async function metric(gateway: { url: string }, name: string): Promise<number> {
  const lines = (await readMetrics(gateway)).split('\n')
  const sample = lines.find((line) => line.startsWith(`${name} `))
  return Number(sample?.slice(name.length + 1) ?? Number.NaN)
}
