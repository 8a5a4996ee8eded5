// The events of an OpenAI chat stream, for `writeEvents`.
import { flushed, type ScriptedUpstream, writeEvents } from './scripted-upstream.ts'

const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }

export const chunk = (content: string): object => ({
  ...head,
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
})

/** The events that complete the answer, with usage if it is given. */
export function lastChunks(usage?: object): unknown[] {
  const end = { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  const usageChunks = usage ? [{ ...head, choices: [], usage }] : []
  return [end, ...usageChunks, 'data: [DONE]\n\n']
}

/** A whole answer. */
export const completion = (content: string, usage?: object): object => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  ...(usage ? { usage } : {}),
})

/** From now on answers begin with three words and wait. They all end when the returned function is called, with 15
 *  tokens each. */
export function openEnded(upstream: ScriptedUpstream): () => void {
  const gate = Promise.withResolvers<void>()
  upstream.behave(async (response) => {
    writeEvents(response, [chunk('one two three')])
    await flushed(response)
    await gate.promise
    writeEvents(response, lastChunks({ prompt_tokens: 10, completion_tokens: 5 }))
    response.end()
  })
  return gate.resolve
}
