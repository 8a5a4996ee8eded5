// Log probabilities of tokens. The neutral form is OpenAI's, which both of its dialects write; Gemini keeps chosen and likely tokens in two lists.
import type { Logprob, TokenLogprob } from '../../contract/neutral.ts'
import { isObject, objectsOf, type JsonObject } from '../../contract/json.ts'

/** `logprobs.content` of the chat dialect, `logprobs` of the Responses dialect. */
export function readLogprobs(value: unknown): { logprobs?: TokenLogprob[] } {
  if (!Array.isArray(value)) return {}
  const logprobs = value.filter(isObject).map((entry) => ({
    ...readOne(entry),
    top_logprobs: objectsOf(entry.top_logprobs).map(readOne),
  }))
  return logprobs.length === 0 ? {} : { logprobs }
}

function readOne({ token, logprob, bytes }: JsonObject): Logprob {
  return {
    token: typeof token === 'string' ? token : '',
    logprob: typeof logprob === 'number' ? logprob : 0,
    bytes: Array.isArray(bytes) ? (bytes as number[]) : null,
  }
}

/** `logprobsResult` of a candidate (ai.google.dev/api/generate-content#LogprobsResult). */
export function readGeminiLogprobs(result: unknown): TokenLogprob[] | undefined {
  if (!isObject(result)) return undefined
  const top = objectsOf(result.topCandidates)
  const tokens = objectsOf(result.chosenCandidates).map((chosen, index) => ({
    ...readGeminiOne(chosen),
    top_logprobs: objectsOf(top[index]?.candidates).map(readGeminiOne),
  }))
  return tokens.length === 0 ? undefined : tokens
}

function readGeminiOne({ token, logProbability }: JsonObject): Logprob {
  const text = typeof token === 'string' ? token : ''
  return {
    token: text,
    logprob: typeof logProbability === 'number' ? logProbability : 0,
    bytes: [...Buffer.from(text)],
  }
}

export function writeGeminiLogprobs(tokens: readonly TokenLogprob[] | undefined): JsonObject {
  if (tokens === undefined || tokens.length === 0) return {}
  const hasTop = tokens.some((one) => one.top_logprobs.length > 0)
  return {
    logprobsResult: {
      chosenCandidates: tokens.map(writeGeminiOne),
      ...(hasTop
        ? {
            topCandidates: tokens.map((one) => ({
              candidates: one.top_logprobs.map(writeGeminiOne),
            })),
          }
        : {}),
    },
  }
}

function writeGeminiOne({ token, logprob }: Logprob): JsonObject {
  return { token, logProbability: logprob }
}
