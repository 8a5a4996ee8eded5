// Output items: which of their content still has to be emitted when they are complete.
import type { ChatEvent, SvgUsage } from '../../contract/neutral.ts'
import { asText, isObject, objectsOf, type JsonObject } from '../../contract/json.ts'
import { freeformArguments } from '../neutral/freeform-tools.ts'
import { readLogprobs } from '../neutral/logprobs.ts'
import { nestedCitation } from './citation.ts'
import { readSvgUsage } from './svg-usage.ts'

/** Counts the runs of tools that providers charge for, by their names. */
export class ToolRuns {
  readonly counts: Record<string, number> = {}
  svg: SvgUsage | undefined
  readonly #containers = new Set<string>()

  see(item: JsonObject): void {
    const type = asText(item.type)
    const tool = Object.hasOwn(CHARGED, type) ? CHARGED[type] : undefined
    if (tool === undefined || item.status === 'failed' || isReading(item)) return
    const container = containerOf(item)
    // Without one the shell runs at the client.
    if (type === 'shell_call' && container === '') return
    if (tool === 'code_interpreter' && this.#isKnown(container)) return
    const name = tool === 'image_generation' ? tool + pictureTier(item) : tool
    this.counts[name] = (this.counts[name] ?? 0) + 1
    this.svg = readSvgUsage(item.svg_usage, this.svg)
  }

  /** The runs that are charged for. Where the provider tells how many requests it bills, items do not count: OpenAI leaves out
   *  discounted searches, and one item may hold several (API reference, `tool_usage`). None is told as 0. */
  billed({ tool_usage: usage }: JsonObject): Record<string, number> {
    const told = isObject(usage) ? usage : {}
    const billed = { ...this.counts }
    for (const tool of ['web_search', 'web_fetch'] as const) {
      const { [tool]: ofTool } = told
      const { num_requests: requests } = isObject(ofTool) ? ofTool : {}
      if (typeof requests === 'number' && requests >= 0) billed[tool] = requests
    }
    return billed
  }

  get total(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0)
  }

  /** Code is charged by the container; a server that names no container (xAI) charges by the run. */
  #isKnown(container: string): boolean {
    if (container === '') return false
    const isKnown = this.#containers.has(container)
    this.#containers.add(container)
    return isKnown
  }
}

/** Tools that are charged for, by item type. */
const CHARGED: Readonly<Record<string, string>> = {
  web_search_call: 'web_search',
  file_search_call: 'file_search',
  image_generation_call: 'image_generation',
  code_interpreter_call: 'code_interpreter',
  // A hosted shell runs in such a container, too (developers.openai.com, shell).
  shell_call: 'code_interpreter',
  x_search_call: 'x_search',
}

function containerOf({ container_id: own, environment }: JsonObject): string {
  return asText(isObject(environment) ? environment.container_id : own)
}

/** Of the actions of a web search, only searching costs; opening a page and finding words in it are free
 *  (platform.openai.com, web search). */
function isReading({ type, action }: JsonObject): boolean {
  const kind = isObject(action) ? action.type : undefined
  return type === 'web_search_call' && (kind === 'open_page' || kind === 'find_in_page')
}

/** Pictures are priced by quality and by whether they are square; `auto` says neither. */
function pictureTier({ quality, size }: JsonObject): string {
  if (quality !== 'low' && quality !== 'medium' && quality !== 'high') return ''
  const [width, height] = asText(size).split('x')
  return `_${quality}${width === height ? '' : '_wide'}`
}

/** Keeps the messages of an answer apart, which other dialects have as one text: a model may say what it does before it says
 *  what came of it. */
export class MessageGaps {
  #hasText = false

  /** @param events the first of a message, or those of another item */
  before(events: ChatEvent[]): ChatEvent[] {
    if (!events.some(({ type }) => type === 'text')) return events
    const isLater = this.#hasText
    this.#hasText = true
    return isLater ? [{ type: 'text', delta: '\n\n' }, ...events] : events
  }
}

/** The events of a finished item. Text, reasoning and arguments are only emitted if no delta has contained them. */
export function itemEvents(item: JsonObject, wasStreamed: boolean, toolIndex: number): ChatEvent[] {
  switch (item.type) {
    case 'message':
      return wasStreamed ? [] : messageEvents(item)
    case 'reasoning':
      return [...(wasStreamed ? [] : thoughtEvents(item)), ...sealEvents(item)]
    case 'function_call':
      return callEvents(item, wasStreamed, toolIndex)
    case 'custom_tool_call':
      return [
        { type: 'tool_args', index: toolIndex, delta: freeformArguments(asText(item.input)) },
        { type: 'tool_end', index: toolIndex },
      ]
    case 'image_generation_call':
      return imageEvents(item)
    case 'search_results':
      return sourceEvents(item)
    default:
      return []
  }
}

function messageEvents(item: JsonObject): ChatEvent[] {
  return objectsOf(item.content).flatMap((part): ChatEvent[] => {
    if (part.type === 'refusal') return textEvent('refusal', asText(part.refusal))
    if (part.type !== 'output_text') return []
    const citations = objectsOf(part.annotations).map(
      (citation): ChatEvent => ({ type: 'citation', citation: nestedCitation(citation) }),
    )
    const text = textEvent('text', asText(part.text)).map((event) => ({
      ...event,
      ...readLogprobs(part.logprobs),
    }))
    return [...text, ...citations]
  })
}

function thoughtEvents(item: JsonObject): ChatEvent[] {
  const texts = [...objectsOf(item.summary), ...objectsOf(item.content)].map((part) =>
    asText(part.text),
  )
  return textEvent('reasoning', texts.filter((text) => text !== '').join('\n\n'))
}

function sealEvents(item: JsonObject): ChatEvent[] {
  const data = asText(item.encrypted_content)
  if (data === '') return []
  const id = asText(item.id)
  const state = { owner: 'openai' as const, data, ...(id === '' ? {} : { id }) }
  return [{ type: 'reasoning_state', state }]
}

export function callStart(item: JsonObject, index: number): ChatEvent {
  const { namespace } = item
  return {
    type: 'tool_start',
    index,
    id: asText(item.call_id) || asText(item.id),
    name: asText(item.name),
    ...(typeof namespace === 'string' ? { namespace } : {}),
  }
}

function callEvents(item: JsonObject, wasStreamed: boolean, index: number): ChatEvent[] {
  const delta = asText(item.arguments)
  const events: ChatEvent[] =
    wasStreamed || delta === '' ? [] : [{ type: 'tool_args', index, delta }]
  events.push({ type: 'tool_end', index })
  return events
}

/** Perplexity names its sources in an item of their own, without their places in the text. */
function sourceEvents({ results }: JsonObject): ChatEvent[] {
  return objectsOf(results).map(({ url, title }) => {
    const place = { url: asText(url), title: asText(title), start_index: 0, end_index: 0 }
    return { type: 'citation', citation: nestedCitation({ type: 'url_citation', ...place }) }
  })
}

function imageEvents(item: JsonObject): ChatEvent[] {
  const data = asText(item.result)
  if (data === '') return []
  const format = asText(item.output_format) || 'png'
  return [{ type: 'image', mediaType: `image/${format}`, data }]
}

function textEvent(type: 'text' | 'refusal' | 'reasoning', delta: string): ChatEvent[] {
  return delta === '' ? [] : [{ type, delta }]
}

export function finishOf(response: JsonObject, hasCalls: boolean): ChatEvent {
  const details = isObject(response.incomplete_details) ? response.incomplete_details : {}
  const native = asText(details.reason) || asText(response.status) || 'completed'
  if (details.reason === 'content_filter') return { type: 'finish', reason: 'filtered', native }
  if (response.status === 'incomplete') return { type: 'finish', reason: 'length', native }
  return { type: 'finish', reason: hasCalls ? 'tool_calls' : 'stop', native }
}
