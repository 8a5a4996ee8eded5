// The response object that converted answers show: the client's own fields echoed, nothing stored.
import type { AnswerMeta, ChatRequest, FinishReason, Usage } from '../../contract/dialect.ts'
import type { JsonObject } from '../../contract/json.ts'
import { buildChoice, buildTool, formatField } from './build-request.ts'
import { writeUsage } from './usage.ts'

const asNamed = (name: string) => name

/** The part that is the same from the first event to the last. */
export function responseHead(meta: AnswerMeta): JsonObject {
  return {
    id: `resp_${meta.requestId}`,
    object: 'response',
    created_at: meta.createdSeconds,
    background: false,
    model: meta.model,
    ...echoOf(meta.request),
    previous_response_id: null,
    service_tier: 'default',
    store: false,
    top_logprobs: meta.request?.topLogprobs ?? 0,
    truncation: 'disabled',
  }
}

function echoOf(request: ChatRequest | undefined): JsonObject {
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
    tool_choice: buildChoice(request?.toolChoice, asNamed) ?? 'auto',
    tools: [
      ...(request?.tools ?? []).map((tool) => buildTool(tool, asNamed)),
      ...(request?.hostedTools ?? []).map((tool) => tool.raw),
    ],
    top_p: request?.topP ?? 1,
    metadata: request?.metadata ?? {},
  }
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

export function closedResponse(
  meta: AnswerMeta,
  output: readonly JsonObject[],
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
    output,
    ...(usage === undefined ? {} : { usage: writeUsage(usage) }),
  }
}
