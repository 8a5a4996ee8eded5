// Reads a streamed answer as strictly as the fixtures' note asks, and collects what it says.
import { isObject, type JsonObject, objectIn } from '#core'
import { show } from './match.ts'

export interface StreamEvent {
  event: string | undefined
  data: string
}

/** Server-sent events; an unfinished last block counts as a fault of its own. */
export function parseEventStream(text: string): { events: StreamEvent[]; problems: string[] } {
  const normal = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const events: StreamEvent[] = []
  const blocks = normal.split('\n\n')
  const rest = blocks.pop() ?? ''
  for (const block of blocks) {
    const lines = block.split('\n')
    const data = lines.filter((line) => line.startsWith('data:')).map((line) => fieldOf(line))
    const event = lines.findLast((line) => line.startsWith('event:'))
    if (data.length > 0) {
      events.push({
        event: event === undefined ? undefined : fieldOf(event),
        data: data.join('\n'),
      })
    }
  }
  const problems = rest.trim() === '' ? [] : [`the stream ends inside an event: ${show(rest)}`]
  return { events, problems }
}

export interface ToolCall {
  id: string | undefined
  name: string
  argumentText: string
}

/** What an OpenAI chat stream said. */
export interface ChatStream {
  chunks: JsonObject[]
  content: string
  reasoning: string
  toolCalls: ToolCall[]
  finishReasons: string[]
  usages: JsonObject[]
  errors: JsonObject[]
  isDone: boolean
}

export interface StreamDemands {
  /** `done: false` of the fixture: no `[DONE]` needed, a trailing error line is fine. */
  isDoneWaived: boolean
  expectsError: boolean
}

export function readChatStream(
  events: readonly StreamEvent[],
  demands: StreamDemands,
): { stream: ChatStream; problems: string[] } {
  const problems: string[] = []
  const isDone = events.at(-1)?.data === '[DONE]'
  const lines = isDone ? events.slice(0, -1) : events
  const objects = lines.flatMap(({ data }) => parseLine(data, problems))
  const errors = objects.flatMap((chunk) => (isObject(chunk['error']) ? [chunk['error']] : []))
  const chunks = objects.filter((chunk) => !('error' in chunk))
  const stream = { ...collect(chunks), chunks, errors, isDone }
  problems.push(...shapeFaults(stream, demands))
  return { stream, problems }
}

function shapeFaults(stream: ChatStream, { isDoneWaived, expectsError }: StreamDemands): string[] {
  const faults: string[] = []
  if (expectsError) {
    if (stream.isDone) faults.push('[DONE] follows an error')
    return faults
  }
  if (stream.errors.length > 0 && !isDoneWaived) {
    faults.push(`the stream carries an error: ${show(stream.errors[0])}`)
  }
  if (!stream.isDone && !isDoneWaived) faults.push('the last data line is not [DONE]')
  const full = stream.chunks.filter(({ choices }) => Array.isArray(choices) && choices.length > 0)
  for (const chunk of full) {
    if (chunk['object'] !== 'chat.completion.chunk') {
      faults.push(`a chunk has object ${show(chunk['object'])}`)
    }
  }
  const ids = new Set(full.map(({ id }) => id))
  const id = [...ids][0]
  if (ids.size > 1) faults.push(`the chunks have several ids: ${show([...ids])}`)
  if (full.length > 0 && (typeof id !== 'string' || id === '')) faults.push('the chunks have no id')
  return faults
}

function collect(chunks: readonly JsonObject[]) {
  const calls = new Map<number, ToolCall>()
  const said = {
    content: '',
    reasoning: '',
    finishReasons: [] as string[],
    usages: [] as JsonObject[],
  }
  for (const chunk of chunks) {
    if (isObject(chunk['usage'])) said.usages.push(chunk['usage'])
    const choices = Array.isArray(chunk['choices']) ? chunk['choices'] : []
    const choice: unknown = choices.find((entry) => isObject(entry) && (entry['index'] ?? 0) === 0)
    if (!isObject(choice)) continue
    if (typeof choice['finish_reason'] === 'string')
      said.finishReasons.push(choice['finish_reason'])
    const delta = isObject(choice['delta']) ? choice['delta'] : {}
    said.content += textOf(delta['content'])
    said.reasoning += textOf(delta['reasoning_content'])
    if (Array.isArray(delta['tool_calls']))
      delta['tool_calls'].forEach((part) => addCall(calls, part))
  }
  const toolCalls = [...calls].sort(([a], [b]) => a - b).map(([, call]) => call)
  return { ...said, toolCalls }
}

function addCall(calls: Map<number, ToolCall>, part: unknown): void {
  if (!isObject(part)) return
  const index = typeof part['index'] === 'number' ? part['index'] : -1
  const call = calls.get(index) ?? { id: undefined, name: '', argumentText: '' }
  const declared = isObject(part['function']) ? part['function'] : {}
  if (typeof part['id'] === 'string' && part['id'] !== '') call.id = part['id']
  call.name += textOf(declared['name'])
  call.argumentText += textOf(declared['arguments'])
  calls.set(index, call)
}

function parseLine(data: string, problems: string[]): JsonObject[] {
  const value = objectIn(data)
  if (value) return [value]
  problems.push(`a data line is no JSON object: ${show(data)}`)
  return []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function fieldOf(line: string): string {
  return line.slice(line.indexOf(':') + 1).replace(/^ /, '')
}
