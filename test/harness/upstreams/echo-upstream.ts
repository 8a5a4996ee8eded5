// An upstream of any chat dialect that repeats what it was told, as thoughts, as text and as arguments of a tool
// call, whole or in pieces of three letters.
import type { ChatDialect, ChatEvent } from '#core'
import { codecs } from '../../../core/dialects/index.ts'
import type { UpstreamBehaviour, UpstreamCall } from '../scripted-upstream.ts'

export function echo(options: { isPlain?: boolean } = {}): UpstreamBehaviour {
  return async (response, call) => {
    const dialect = dialectOf(call)
    const isStream = call.body['stream'] === true || call.path.includes(':streamGenerateContent')
    const events = eventsOf(lastText(call, dialect), options.isPlain === true, isStream)
    const meta = {
      requestId: 'upstream',
      requestedModel: 'echo',
      createdSeconds: 1,
      includeUsage: true,
      estimatedInput: 0,
      legacyFunctions: false,
    }
    if (!isStream) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(codecs[dialect].writeAnswer(events, meta)))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const writer = codecs[dialect].streamWriter(meta)
    for (const event of events) {
      response.write(writer.write(event))
      await new Promise(setImmediate)
    }
    response.end(writer.end())
  }
}

export function dialectOf({ path }: UpstreamCall): ChatDialect {
  if (path.includes('enerateContent')) return 'gemini'
  if (path.endsWith('/messages')) return 'anthropic-messages'
  return path.endsWith('/responses') ? 'openai-responses' : 'openai-chat'
}

function lastText(call: UpstreamCall, dialect: ChatDialect): string {
  const request = codecs[dialect].parseRequest(call.body, { model: 'echo' })
  const parts = request.turns.at(-1)?.parts ?? []
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
}

function eventsOf(text: string, isPlain: boolean, isStream: boolean): ChatEvent[] {
  const pieces = isStream ? (text.match(/.{1,3}/gsu) ?? []) : [text]
  const each = (of: string, make: (delta: string) => ChatEvent) =>
    isStream ? (of.match(/[^]{1,3}/gu) ?? []).map(make) : [make(of)]
  const tool: ChatEvent[] = [
    { type: 'tool_start', index: 0, id: 'call_1', name: 'note' },
    ...each(JSON.stringify({ who: text }), (delta) => ({ type: 'tool_args', index: 0, delta })),
    { type: 'tool_end', index: 0 },
  ]
  return [
    { type: 'start', id: 'upstream-1', model: 'echo' },
    ...(isPlain ? [] : each(text, (delta) => ({ type: 'reasoning' as const, delta }))),
    ...pieces.map((delta) => ({ type: 'text' as const, delta })),
    ...(isPlain ? [] : tool),
    { type: 'finish', reason: isPlain ? 'stop' : 'tool_calls' },
    {
      type: 'usage',
      usage: {
        input: 40,
        output: 60,
        cacheRead: 0,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        inputAudio: 0,
        inputImage: 0,
        reasoning: 0,
        outputAudio: 0,
        outputImage: 0,
      },
    },
  ]
}
