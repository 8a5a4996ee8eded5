// What is asked of every target, and what each of them is asked for it.
import { type AnswerName, answers } from './answers.ts'

export interface Scenario {
  name: string
  /** What the upstream answers: the first part of its path, and the end of the model's name. */
  answer: AnswerName
  /** Written ten events at a time by Node; else all at once by nginx. */
  drips: boolean
  path: string
  body: string
  goal: number
  /** Of the gateway's own chat; peers take part only in those of the OpenAI form, whole or streamed. */
  isForPeers: boolean
}

const text = (length: number) => 'word '.repeat(length / 5)
const question = (length: number) => [{ role: 'user', content: text(length) }]
const more = { max_tokens: 1000, stream: true }

/** What a client of a dialect sends for a stream, and where to. */
const clients = {
  chat: { path: '/v1/chat/completions', body: { messages: question(200), ...more } },
  responses: { path: '/v1/responses', body: { input: text(200), stream: true } },
  anthropic: { path: '/v1/messages', body: { messages: question(200), ...more } },
  gemini: {
    path: '/v1beta/models/MODEL:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: text(200) }] }] },
  },
} as const

type Client = keyof typeof clients

export function modelOf({ answer, drips }: Pick<Scenario, 'answer' | 'drips'>): string {
  return `bench-${answer}${drips ? '-drip' : ''}`
}

function whole(name: string, length: number, goal: number): Scenario {
  const body = JSON.stringify({ model: 'MODEL', messages: question(length) })
  const path = '/v1/chat/completions'
  return { name, answer: 'whole', drips: false, path, body, goal, isForPeers: true }
}

function stream(client: Client, answer: Exclude<AnswerName, 'whole'>, drips = false): Scenario {
  const isConverted = client !== answer
  const { path, body } = clients[client]
  return {
    name: `${isConverted ? `${answer} for ${client}` : answer}${drips ? ', dripped' : ''}`,
    answer,
    drips,
    path,
    body: JSON.stringify(client === 'gemini' ? body : { model: 'MODEL', ...body }),
    goal: isConverted ? 0.35 : 0.5,
    isForPeers: client === 'chat' && !isConverted,
  }
}

export const scenarios: readonly Scenario[] = [
  whole('small', 200, 0.5),
  whole('10 kB', 10_000, 0.55),
  stream('chat', 'chat'),
  stream('responses', 'responses'),
  stream('anthropic', 'anthropic'),
  stream('gemini', 'gemini'),
  stream('anthropic', 'chat'),
  stream('chat', 'anthropic'),
  stream('chat', 'gemini'),
  stream('chat', 'chat', true),
  stream('anthropic', 'chat', true),
]

/** Events of the upstream's answer; 1: it is no stream. */
export function eventsOf({ answer }: Scenario): number {
  return answers[answer].pieces.length
}
