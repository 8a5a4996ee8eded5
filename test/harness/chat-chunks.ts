// The events of an OpenAI chat stream, for `writeEvents`.

const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }

export const chunk = (content: string): object => ({
  ...head,
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
})

/** What completes the answer, with its usage where it is given. */
export function lastChunks(usage?: object): unknown[] {
  const end = { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  const told = usage ? [{ ...head, choices: [], usage }] : []
  return [end, ...told, 'data: [DONE]\n\n']
}

/** A whole answer. */
export const completion = (content: string, usage?: object): object => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  ...(usage ? { usage } : {}),
})
