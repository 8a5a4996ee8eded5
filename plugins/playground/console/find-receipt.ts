import { api } from '#console'
import type { Receipt } from './message.ts'

interface Row extends Receipt {
  request_id: string
}

/** After a stopped answer, the gateway reads on until the provider reports its usage, and charges only then. */
const pausesMs = [0, 1500, 4000, 10_000]

/** The cost of the call, from its row in the usage log; undefined if the log is off. */
export async function findReceipt(requestId: string, group: string): Promise<Receipt | undefined> {
  const query = { p: 1, page_size: 20, type: 2, token_name: `playground-${group}` }
  for (const pauseMs of pausesMs) {
    await new Promise((resolve) => window.setTimeout(resolve, pauseMs))
    try {
      const { items } = await api.get<{ items: Row[] }>('/api/log/self/', { query, isQuiet: true })
      const row = items.find(({ request_id: id }) => id === requestId)
      if (row) {
        const { quota, prompt_tokens, completion_tokens } = row
        return { quota, prompt_tokens, completion_tokens }
      }
    } catch {
      return undefined
    }
  }
  return undefined
}
