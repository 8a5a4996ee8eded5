// What a hook of `relay.event` may do with an event, and what not.
import { isDeepStrictEqual } from 'node:util'
import { type EventTransform, isObject, type JsonObject, type RelayView } from '#core'

const sampleEvents: readonly JsonObject[] = [
  { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'A word' } }] },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'A word' } },
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'A word' },
  { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'A word' }] } }] },
  { type: 'of_a_kind_that_comes_later' },
]

/** @throws Error for what the relay would count as its failure */
export function eventFaults(hook: EventTransform, view: RelayView): void {
  const change = hook.open(view)
  if (!change) return
  for (const sample of sampleEvents) {
    const data = structuredClone(sample)
    const { type } = data
    const changed = change(data, typeof type === 'string' ? type : undefined)
    if (!isDeepStrictEqual(data, sample))
      throw new Error('it changes an event in place; give back another object')
    if (changed !== undefined && !isObject(changed))
      throw new Error('it makes an event of what is no object')
  }
}
