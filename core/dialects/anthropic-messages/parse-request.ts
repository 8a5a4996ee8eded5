import type {
  ChatRequest,
  Part,
  ReasoningWish,
  ResponseFormat,
  Turn,
} from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { isEffort } from '../neutral/effort.ts'
import { compact, Fields } from '../neutral/fields.ts'
import { requestInvalid } from '../neutral/request-errors.ts'
import { withoutAttribution } from './attribution.ts'
import { numberDocuments } from './number-documents.ts'
import { parseBlocks } from './parse-blocks.ts'
import { parseTools } from './parse-tools.ts'
import { shownMessages, withToolChanges } from './system-messages.ts'
import { addTo, joinModelTurns } from '../neutral/turns.ts'

/** Anthropic keeps the turns of a thread; a call with `compaction` asks for a summary and no reply. */
const NATIVE_FIELDS = ['thread', 'compaction']

export function parseRequest(
  body: JsonObject,
  route: { model?: string; stream?: boolean } = {},
): ChatRequest {
  const fields = new Fields(body)
  const messages = fields.items('messages')
  if (messages.length === 0) throw requestInvalid('messages', 'must hold at least one message')
  const system = parseBlocks(fields, 'system').flatMap(unattributed)
  const turns: Turn[] = []
  for (const message of shownMessages(messages)) parseMessage(message, system, turns)
  numberDocuments(body.messages, turns)
  const output = fields.inside('output_config')
  const native = NATIVE_FIELDS.filter((name) => fields.object(name) !== undefined)
  return {
    model: route.model ?? fields.requiredText('model'),
    system: system.map(textOnly),
    turns: joinModelTurns(turns),
    ...parseTools(withToolChanges(fields, messages)),
    stream: route.stream ?? fields.flag('stream') ?? false,
    includeUsage: true,
    ...(native.length === 0 ? {} : { nativeFields: native }),
    ...compact({
      maxTokens: fields.count('max_tokens'),
      temperature: fields.number('temperature'),
      topP: fields.number('top_p'),
      topK: fields.number('top_k'),
      stop: fields.someTexts('stop_sequences'),
      user: fields.inside('metadata')?.text('user_id'),
      serviceTier: fields.text('service_tier'),
      reasoning: reasoningOf(fields, output),
      // `output_format` was the name in the beta.
      responseFormat: formatOf(output?.inside('format') ?? fields.inside('output_format')),
    }),
  }
}

function parseMessage(message: Fields, system: Part[], turns: Turn[]): void {
  const role = message.requiredText('role')
  const parts = parseBlocks(message, 'content')
  if (role === 'system') addTo(system, parts)
  else if (role === 'user') turns.push({ role: 'user', parts })
  else if (role === 'assistant') turns.push({ role: 'model', parts })
  else throw requestInvalid(message.name('role'), `"${role}" is not supported`)
}

function unattributed(part: Part): Part[] {
  if (part.kind !== 'text') return [part]
  const text = withoutAttribution(part.text)
  if (text === part.text) return [part]
  return text === '' ? [] : [{ ...part, text }]
}

function textOnly(part: Part): Part {
  if (part.kind === 'text') return part
  throw requestInvalid('system', 'may hold text only')
}

function reasoningOf(fields: Fields, output: Fields | undefined): ReasoningWish | undefined {
  const effort = output?.text('effort')
  const level = isEffort(effort) ? { effort } : {}
  const thinking = fields.inside('thinking')
  const includeThoughts = thinking?.text('display') !== 'omitted'
  switch (thinking?.text('type')) {
    case 'enabled':
      return { ...level, budget: thinking?.count('budget_tokens') ?? 1024, includeThoughts }
    case 'adaptive':
      // -1 leaves the amount to the model.
      return { ...(effort === undefined ? { budget: -1 } : level), includeThoughts }
    case 'disabled':
    // Newer models' word for it.
    case 'between_tools':
      return { budget: 0 }
    default:
      return effort === undefined ? undefined : level
  }
}

function formatOf(format: Fields | undefined): ResponseFormat | undefined {
  if (format?.text('type') !== 'json_schema') return undefined
  return { type: 'schema', schema: format.object('schema') ?? {} }
}
