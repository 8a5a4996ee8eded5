// The legacy text form (/v1/completions). For an upstream that has only chat, the prompt becomes one user message and
// the answer's text is written back in the text form.
import type { AnswerMeta, DialectCodec, StreamWriter } from '../../../contract/dialect.ts'
import type { ChatEvent, Usage } from '../../../contract/neutral.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { codecs } from '../../../dialects/index.ts'
import type { TextForm } from '../../charge/usage-tally.ts'
import { relayErrors } from '../../call/relay-errors.ts'
import { passTextAnswer, readTextAnswer, textPassFilter, TextStreamParser } from './text-answers.ts'

function promptText(prompt: unknown): string {
  if (typeof prompt === 'string') return prompt
  if (Array.isArray(prompt) && prompt.length === 1 && typeof prompt[0] === 'string')
    return prompt[0]
  throw relayErrors.unsupported(
    { field: 'prompt', reason: 'this model takes one text' },
    { field: 'prompt' },
  )
}

/** Fields that have no counterpart in a chat. */
const textFields = ['suffix', 'echo', 'best_of', 'logprobs'] as const

/** The body as a chat: `prompt` becomes a message, and the fields that a chat has too are kept. */
function asChatBody({ prompt, ...rest }: JsonObject): JsonObject {
  const chat = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !textFields.some((field) => field === name)),
  )
  return { ...chat, messages: [{ role: 'user', content: promptText(prompt) }] }
}

/** The fields of a text call that are lost when it becomes a chat. */
export function lostTextFields(body: JsonObject): string[] {
  return textFields.filter((field) => {
    const value = body[field]
    if (value === undefined || value === null || value === false || value === '') return false
    // A `best_of` that is no larger than `n` loses nothing.
    return field !== 'best_of' || Number(value) > Number(body['n'] ?? 1)
  })
}

/** Reads a body that was checked already; one that came in another form has none of these fields. */
export function textFormOf(body: JsonObject | undefined): TextForm {
  const answers = Math.max(1, Number(body?.['n'] ?? 1))
  const tries = Math.max(1, Number(body?.['best_of'] ?? 1) / answers)
  return { echoes: body?.['echo'] === true ? answers : 0, tries }
}

function usageOf(usage: Usage): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
  }
}

const reasons: Readonly<Record<string, string>> = { length: 'length', filtered: 'content_filter' }

function chunk(meta: AnswerMeta, choices: readonly JsonObject[], usage?: Usage): JsonObject {
  return {
    id: `cmpl-${meta.requestId}`,
    object: 'text_completion',
    created: meta.createdSeconds,
    model: meta.requestedModel,
    choices,
    ...(usage ? { usage: usageOf(usage) } : {}),
  }
}

function choiceOf(text: string, finish: string | null, index = 0): JsonObject {
  return { text, index, logprobs: null, finish_reason: finish }
}

function writer(meta: AnswerMeta): StreamWriter {
  let usage: Usage | undefined
  const line = (value: JsonObject) => `data: ${JSON.stringify(value)}\n\n`
  return {
    write(event: ChatEvent): string {
      if (event.type === 'usage') usage = event.usage
      if (event.type === 'text')
        return line(chunk(meta, [choiceOf(event.delta, null, event.choice)]))
      if (event.type === 'finish')
        return line(chunk(meta, [choiceOf('', reasons[event.reason] ?? 'stop', event.choice)]))
      return ''
    },
    end: () => `${meta.includeUsage && usage ? line(chunk(meta, [], usage)) : ''}data: [DONE]\n\n`,
    error: (error) => codecs['openai-chat'].streamError(error),
  }
}

function wholeAnswer(events: readonly ChatEvent[], meta: AnswerMeta): JsonObject {
  const choices = new Map<number, { text: string; finish: string }>([
    [0, { text: '', finish: 'stop' }],
  ])
  let usage: Usage | undefined
  for (const event of events) {
    if (event.type === 'usage') usage = event.usage
    if (event.type !== 'text' && event.type !== 'finish') continue
    const choice = choices.get(event.choice ?? 0) ?? { text: '', finish: 'stop' }
    choices.set(event.choice ?? 0, choice)
    if (event.type === 'text') choice.text += event.delta
    else choice.finish = reasons[event.reason] ?? 'stop'
  }
  const written = [...choices].map(([index, { text, finish }]) => choiceOf(text, finish, index))
  return chunk(meta, written, usage)
}

export const completionsCodec: DialectCodec = {
  ...codecs['openai-chat'],
  parseRequest: (body, route) => codecs['openai-chat'].parseRequest(asChatBody(body), route),
  parseAnswer: readTextAnswer,
  streamParser: () => new TextStreamParser(),
  passFilter: textPassFilter,
  passAnswer: passTextAnswer,
  writeAnswer: wholeAnswer,
  streamWriter: writer,
}
