// Neutral events that readers of the upstreams' own formats build in the same way.
import type { ChatEvent, FinishReason, Usage } from '../../contract/neutral.ts'
import type { FlatCall } from './flat-messages.ts'

/** A tool call that arrived in one piece; `index` counts the calls of the answer from 0. */
export function wholeCall(index: number, { id, name, arguments: text }: FlatCall): ChatEvent[] {
  return [
    { type: 'tool_start', index, id, name },
    { type: 'tool_args', index, delta: text === '' ? '{}' : text },
    { type: 'tool_end', index },
  ]
}

/** How an answer begins, with its id and its time in Unix seconds where the upstream tells them. */
export function opening(id?: unknown, created?: unknown): ChatEvent {
  return {
    type: 'start',
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof created === 'number' ? { created } : {}),
  }
}

/** How an answer ends. */
export function closing(reason: FinishReason, usage: Usage | undefined): ChatEvent[] {
  return [...usageEvents(usage), { type: 'finish', reason }]
}

export function usageEvents(usage: Usage | undefined): ChatEvent[] {
  return usage === undefined ? [] : [{ type: 'usage', usage }]
}

/** A piece of text, unless it is empty. */
export function textEvents(text: unknown): ChatEvent[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'text', delta: text }] : []
}

export function reasoningEvents(text: unknown): ChatEvent[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'reasoning', delta: text }] : []
}
