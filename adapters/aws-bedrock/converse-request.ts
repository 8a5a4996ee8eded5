// A request of Converse. Source: docs.aws.amazon.com/bedrock, API reference Converse and ConverseStream.
import type {
  AnswerHints,
  AttemptContext,
  ChatRequest,
  JsonObject,
  ResponseFormat,
  StateRecall,
  Turn,
} from '#core'
import {
  compact,
  reportDropped,
  fitToolNames,
  mergeTurns,
  OPENAI_NAMES,
  withModelTexts,
} from '#adapter-kit'
import { modelFields } from './converse-fields.ts'
import { systemBlocks, toMessages } from './converse-messages.ts'
import { isOwnState } from './converse-state.ts'
import { toToolConfig } from './converse-tools.ts'
import { traitsOf, type Traits } from './converse-traits.ts'

type RequestContext = Pick<
  AttemptContext,
  'channel' | 'model' | 'requestedModel' | 'drop' | 'fetchFile'
>

export async function toConverse(
  request: ChatRequest,
  context: RequestContext,
  memory: Partial<StateRecall> = {},
): Promise<JsonObject> {
  const traits = traitsOf(context)
  const { rename } = toolNames(request)
  const drop = (field: string) => context.drop(field)
  noteDropped(request, context)
  const toolConfig = toToolConfig(request, rename, traits, drop)
  // Pictures and documents are for turns of the user (API reference, Message).
  const turns = withThoughts(mergeTurns(withModelTexts(request.turns, drop)), memory)
  const rules = { traits, rename, speaksTools: toolConfig !== undefined }
  const { limits, fields } = modelFields(request, traits, drop)
  return compact({
    messages: await toMessages(turns, rules, context),
    system: nonEmpty(systemBlocks(request.system, traits)),
    inferenceConfig: Object.keys(limits).length === 0 ? undefined : limits,
    toolConfig,
    additionalModelRequestFields: Object.keys(fields).length === 0 ? undefined : fields,
    outputConfig: toOutput(request.responseFormat, traits, drop),
    serviceTier: toTier(request.serviceTier, context),
  })
}

/** Names are fitted the same way for request and answer. */
export function toolNames(request: ChatRequest): {
  rename: (name: string) => string
  hints: AnswerHints
} {
  const hints: AnswerHints = {}
  const rename = fitToolNames(request, OPENAI_NAMES, hints)
  for (const { name } of request.tools) rename(name)
  return { rename, hints }
}

/** The sealed thoughts before a call come from memory where the client's dialect could not carry them. */
function withThoughts(turns: readonly Turn[], { recallState }: Partial<StateRecall>): Turn[] {
  return turns.map((turn) => {
    const call = turn.parts.find((part) => part.kind === 'tool_call')
    if (call === undefined || recallState === undefined) return turn
    if (turn.parts.some((part) => part.kind === 'reasoning' && isOwnState(part.state))) return turn
    const recalled = recallState(call.id)?.reasoning ?? []
    const own = recalled.filter((part) => part.kind === 'reasoning' && isOwnState(part.state))
    return own.length === 0 ? turn : { ...turn, parts: [...own, ...turn.parts] }
  })
}

function toOutput(
  format: ResponseFormat | undefined,
  { takesSchema }: Traits,
  drop: (field: string) => void,
): JsonObject | undefined {
  if (format === undefined || format.type === 'text') return undefined
  if (format.type === 'json' || !takesSchema) {
    drop('response_format')
    return undefined
  }
  const { schema, name, description } = format
  const jsonSchema = compact({ schema: JSON.stringify(schema), name, description })
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } }
}

const TIERS: ReadonlySet<string> = new Set(['priority', 'flex', 'reserved'])

/** A tier changes what AWS charges, so the channel must allow it. */
function toTier(
  tier: string | undefined,
  { channel, drop }: RequestContext,
): JsonObject | undefined {
  if (tier === undefined || tier === 'auto' || tier === 'default') return undefined
  if (TIERS.has(tier) && channel.setting['allow_service_tier'] === true) return { type: tier }
  drop('service_tier')
  return undefined
}

function noteDropped(request: ChatRequest, context: RequestContext): void {
  const { count = 1, ...withoutCount } = request
  reportDropped(
    count === 1 ? withoutCount : request,
    [
      'tools',
      'toolChoice',
      'parallelToolCalls',
      'maxTokens',
      'temperature',
      'topP',
      'topK',
      'stop',
      'responseFormat',
      'reasoning',
      ...(traitsOf(context).marksFailedResults ? (['failures'] as const) : []),
    ],
    context,
  )
}

function nonEmpty(blocks: JsonObject[]): JsonObject[] | undefined {
  return blocks.length === 0 ? undefined : blocks
}
