import type { ChatEvent } from '../../contract/neutral.ts'
import { UpstreamError } from '../../contract/errors.ts'
import { objectsOf, type JsonObject } from '../../contract/json.ts'
import { unreadable } from '../neutral/parsed-event.ts'
import { readError } from '../openai-chat/errors.ts'
import { readFailed } from './errors.ts'
import { startOf } from './parse-stream.ts'
import { callStart, finishOf, itemEvents, MessageGaps, ToolRuns } from './read-item.ts'
import { readUsage } from './usage.ts'

export function parseAnswer(body: JsonObject): ChatEvent[] {
  const failure = readError(200, body)
  if (failure !== undefined) throw new UpstreamError(failure)
  if (body.status === 'failed') throw new UpstreamError(readFailed(body))
  if (!Array.isArray(body.output)) throw unreadable()
  const events: ChatEvent[] = [startOf(body)]
  const tools = new ToolRuns()
  const gaps = new MessageGaps()
  let calls = 0
  for (const item of objectsOf(body.output)) {
    tools.see(item)
    if (item.type === 'function_call' || item.type === 'custom_tool_call') {
      events.push(callStart(item, calls))
      events.push(...itemEvents(item, false, calls))
      calls += 1
    } else events.push(...gaps.before(itemEvents(item, false, -1)))
  }
  const usage = readUsage(body, tools.billed(body), tools.svg)
  if (usage !== undefined) events.push({ type: 'usage', usage })
  events.push(finishOf(body, calls > 0))
  return events
}
