// The response object of converted answers. It repeats the client's own fields.
import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatRequest, FinishReason, ToolDeclaration, Usage } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { buildChoice, buildTool, formatField } from './build-request.ts'
import { ownNames } from './namespaces.ts'
import { writeUsage } from './usage.ts'

const asNamed = (name: string) => name

/** The part that is the same in all events. */
function responseHead(meta: AnswerMeta): JsonObject {
  return {
    id: meta.responseId ?? `resp_${meta.requestId}`,
    object: 'response',
    created_at: meta.createdSeconds,
    background: false,
    model: meta.requestedModel,
    ...echoOf(meta.request),
    previous_response_id: meta.previousId ?? null,
    service_tier: 'default',
    store: meta.responseId !== undefined || meta.keepOutput !== undefined,
    top_logprobs: meta.request?.topLogprobs ?? 0,
    truncation: 'disabled',
  }
}

function echoOf(request: ChatRequest | undefined): JsonObject {
  const nameOf = ownNames(request)
  const instructions = request?.system.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return {
    instructions: instructions?.join('\n\n') || null,
    max_output_tokens: request?.maxTokens ?? null,
    parallel_tool_calls: request?.parallelToolCalls ?? true,
    reasoning: {
      effort: request?.reasoning?.effort ?? null,
      summary: request?.reasoning?.summary ?? null,
    },
    temperature: request?.temperature ?? 1,
    text: {
      format: formatField(request?.responseFormat) ?? { type: 'text' },
      ...(request?.verbosity === undefined ? {} : { verbosity: request.verbosity }),
    },
    tool_choice: (request && buildChoice(request, (name) => nameOf(name).name)) ?? 'auto',
    tools: [
      ...declaredTools(request?.tools ?? []),
      ...(request?.hostedTools ?? []).map((tool) => tool.raw),
    ],
    top_p: request?.topP ?? 1,
    metadata: request?.metadata ?? {},
  }
}

/** The tools as the client declared them, those of a namespace in one tool. */
function declaredTools(tools: readonly ToolDeclaration[]): JsonObject[] {
  const groups = new Map<string, JsonObject[]>()
  return tools.flatMap((tool) => {
    const { namespace } = tool
    if (namespace === undefined) return [buildTool(tool, asNamed)]
    const own = buildTool(tool, () => namespace.tool)
    const open = groups.get(namespace.name)
    if (open !== undefined) {
      open.push(own)
      return []
    }
    const group = [own]
    groups.set(namespace.name, group)
    return [{ type: 'namespace', name: namespace.name, description: '', tools: group }]
  })
}

export function openResponse(meta: AnswerMeta): JsonObject {
  return {
    ...responseHead(meta),
    status: 'in_progress',
    completed_at: null,
    error: null,
    incomplete_details: null,
    output: [],
  }
}

const INCOMPLETE: Partial<Record<FinishReason, string>> = {
  length: 'max_output_tokens',
  filtered: 'content_filter',
}

/** All but the output. */
export function closedResponse(
  meta: AnswerMeta,
  reason: FinishReason,
  usage: Usage | undefined,
): JsonObject {
  const incomplete = INCOMPLETE[reason]
  return {
    ...responseHead(meta),
    status: incomplete === undefined ? 'completed' : 'incomplete',
    completed_at: incomplete === undefined ? Math.floor(Date.now() / 1000) : null,
    error: null,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    ...(usage === undefined ? {} : { usage: writeUsage(usage) }),
  }
}
