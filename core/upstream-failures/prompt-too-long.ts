// Providers say in many words that a prompt does not fit. Programs shorten their conversation where they find the words of their own provider.
import type { ClientError } from '../contract/dialect.ts'
import type { RawFailure } from '../contract/errors.ts'

/** OpenAI's code for it. */
export const PROMPT_TOO_LONG = 'context_length_exceeded'

/** Statuses of such a refusal. */
const STATUSES: ReadonlySet<number> = new Set([400, 413, 422])

/** All words of a list stand in the message, whatever their case. From the providers' public errors, as clients look for them. */
const PHRASES: readonly (readonly string[])[] = [
  ['prompt is too long'], // Anthropic, Vertex
  ['input is too long for requested model'], // Bedrock
  ['exceed context limit'], // Anthropic, with max_tokens
  ['input token count', 'exceeds the maximum'], // Gemini
  ['maximum context length'], // OpenAI, DeepSeek, Mistral, OpenRouter, vLLM
  ['context window', 'exceed'], // OpenAI Responses, MiniMax
  ['maximum prompt length'], // xAI
  ['reduce the length of the messages'], // Groq
  ['exceeded model token limit'], // Moonshot
  ['range of input length should be'], // DashScope
  ['prompt exceeds max length'], // Zhipu
  ['exceeds the available context size'], // llama.cpp
  ['greater than the context length'], // LM Studio
]

export function isPromptTooLong({ status, bodyStatus, code, message }: RawFailure): boolean {
  if (code === PROMPT_TOO_LONG) return true
  if (!STATUSES.has(status < 300 ? (bodyStatus ?? 400) : status)) return false
  const text = message.toLowerCase()
  return PHRASES.some((words) => words.every((word) => text.includes(word)))
}

/** How the provider of a dialect says it; programs of that dialect look for one of these words. */
export interface TooLongWords {
  /** Put before the words of another provider. */
  sentence: string
  /** The same with both numbers. Fantasy, the engine of Crush, recognises no sentence without them; Claude Code reads how much is to go. */
  counted: (tokens: TokenCounts) => string
  /** In lower case. */
  known: readonly string[]
}

interface TokenCounts {
  used: string
  limit: string
}

/** The sentences in which providers tell both numbers, from their public errors. */
const COUNTS: readonly RegExp[] = [
  /prompt is too long: (?<used>\d+) tokens > (?<limit>\d+) maximum/i, // Anthropic, Vertex
  /maximum context length is (?<limit>\d+) tokens\D+(?<used>\d+) (?:input )?tokens/i, // OpenAI, DeepSeek, OpenRouter, vLLM
  /input token count \(?(?<used>\d+)\)? exceeds the maximum number of tokens allowed \(?(?<limit>\d+)/i, // Gemini
  /maximum prompt length is (?<limit>\d+) but the request contains (?<used>\d+) tokens/i, // xAI
  /request \((?<used>\d+) tokens\) exceeds the available context size \((?<limit>\d+) tokens\)/i, // llama.cpp
]

export function messageWith(
  { sentence, counted, known }: TooLongWords,
  { message, isPromptTooLong: isTooLong }: ClientError,
): string {
  if (!isTooLong) return message
  const text = message.toLowerCase()
  if (known.some((words) => text.includes(words))) return message
  const tokens = countsOf(message)
  return `${tokens === undefined ? sentence : counted(tokens)}: ${message}`
}

function countsOf(message: string): TokenCounts | undefined {
  for (const pattern of COUNTS) {
    const { used, limit } = pattern.exec(message)?.groups ?? {}
    if (used !== undefined && limit !== undefined) return { used, limit }
  }
  return undefined
}
