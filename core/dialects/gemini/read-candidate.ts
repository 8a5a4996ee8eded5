// Parts and grounding of a candidate as events; whole answers and stream chunks have the same shape.
import type { ChatEvent, OpaqueState } from '../../contract/neutral.ts'
import { asText, isObject, type JsonObject } from '../../contract/json.ts'
import { readGeminiLogprobs } from '../neutral/logprobs.ts'
import { codeText } from './parse-contents.ts'
import { functionCallEvents } from './parse-function-call.ts'

/** State that lasts over the chunks of one answer. */
export interface CandidateState {
  calls: number
  /** The queries so far, for web pages and pictures. */
  queries: Set<string>
  /** The answer rests on Google Maps. */
  hasPlaces?: boolean
  /** The citations so far, because every chunk repeats the grounding. */
  cited: Set<string>
  /** The text of each candidate so far, if citations may come. */
  texts?: Map<number, string>
}

export function partEvents(
  part: JsonObject,
  state: CandidateState,
  choice: number | undefined,
): ChatEvent[] {
  const seal = sealOf(part)
  if (isObject(part.functionCall)) return functionCallEvents(part.functionCall, seal, state, choice)
  const spoken = transcriptEvents(part.audioTranscription)
  if (isObject(part.inlineData)) return [...mediaEvents(part.inlineData, seal), ...spoken]
  if (spoken.length > 0 && typeof part.text !== 'string') return spoken
  const text = typeof part.text === 'string' ? part.text : (codeText(part) ?? '')
  if (part.thought === true) {
    const events: ChatEvent[] = text === '' ? [] : [{ type: 'reasoning', delta: text, choice }]
    if (seal !== undefined) events.push({ type: 'reasoning_state', state: seal })
    return events
  }
  if (text === '' && seal === undefined) return []
  if (state.texts) state.texts.set(choice ?? 0, (state.texts.get(choice ?? 0) ?? '') + text)
  return [{ type: 'text', delta: text, choice, ...(seal === undefined ? {} : { state: seal }) }]
}

function sealOf(part: JsonObject): OpaqueState | undefined {
  const data = asText(part.thoughtSignature)
  return data === '' ? undefined : { owner: 'gemini', data }
}

function mediaEvents(media: JsonObject, seal: OpaqueState | undefined): ChatEvent[] {
  const mediaType = asText(media.mimeType)
  const data = asText(media.data)
  if (data === '') return []
  if (mediaType.startsWith('audio/')) return [{ type: 'audio', delta: { data } }]
  return [{ type: 'image', mediaType, data, ...(seal === undefined ? {} : { state: seal }) }]
}

/** The transcript of spoken audio. */
function transcriptEvents(transcription: unknown): ChatEvent[] {
  const transcript = isObject(transcription) ? asText(transcription.text) : ''
  return transcript === '' ? [] : [{ type: 'audio', delta: { transcript } }]
}

/** Adds the probabilities of tokens to the first text of a candidate, or to an empty text if there is none. */
export function withLogprobs(
  events: ChatEvent[],
  candidate: JsonObject,
  choice: number | undefined,
): ChatEvent[] {
  const logprobs = readGeminiLogprobs(candidate.logprobsResult)
  if (logprobs === undefined) return events
  const at = events.findIndex(({ type }) => type === 'text')
  if (at < 0) return [...events, { type: 'text', delta: '', choice, logprobs }]
  return events.map((event, index) =>
    index === at && event.type === 'text' ? { ...event, logprobs } : event,
  )
}
