import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PlainOperation } from '../../contract/adapter.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { countChatPrompt } from '../../billing/counting/prompt-tokens.ts'
import { codecs } from '../../dialects/index.ts'
import { tokens } from '../../dialects/neutral/usage.ts'
import { checkModel, groupOf, pinnedChannel } from '../intake/admit.ts'
import { openAttempt, parseLoosely, readText, send, type Attempt } from '../attempt/attempt.ts'
import { byAdapter } from '../attempt/by-adapter.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { isOfUpstream } from '../failure/failures.ts'
import { judgeCall } from '../failure/judge-call.ts'
import { readInput } from '../intake/read-input.ts'
import { keyInUse, openCall, type AdmittedCall, type ReadCall } from '../call/relay-call.ts'
import type { AdmitDeps, AttemptDeps, FailureDeps, HookDeps } from '../call/relay-deps.ts'
import { transformRequest } from '../hooks/transform-request.ts'
import { requestIdHeaders } from '../../http/request-id.ts'
import { callerOf } from '../intake/key-check.ts'

type CountDeps = AdmitDeps & AttemptDeps & FailureDeps & HookDeps

const LARGEST_ANSWER_BYTES = 1_048_576
/** Short, because the gateway's own estimate is available at once. */
const LONGEST_WAIT_MS = 15_000

/** Forwards the request to upstreams that count tokens, else estimates. Free of charge. */
export async function answerTokenCount(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: CountDeps,
): Promise<JsonObject> {
  const input = await readInput(
    request,
    { operation: 'count_tokens', dialect: 'anthropic-messages' },
    deps.options,
  )
  const { identity, pinnedChannel: pin } = callerOf(request)
  const group = groupOf(identity, deps, input.requestedModel)
  const pinned = pinnedChannel(pin, deps)
  checkModel(input, identity, group, deps, pinned)
  if (input.fault) throw input.fault
  const channel = pinned ?? deps.index().select({ group, model: input.requestedModel, attempt: 0 })
  const operation = channel === 'none' ? undefined : channel.adapter?.operations.count_tokens
  reply.headers(requestIdHeaders(request.id))
  if (channel === 'none' || !operation) return estimated(input)
  const call = openCall(input, callerOf(request), group, request, reply)
  await transformRequest(call, deps)
  const answer = await forwarded(call, channel, operation, deps)
  return answer ?? estimated(input)
}

async function forwarded(
  call: AdmittedCall,
  channel: Parameters<typeof openAttempt>[1],
  operation: PlainOperation,
  deps: CountDeps,
): Promise<JsonObject | undefined> {
  let limit: Limit | undefined
  try {
    const attempt = openAttempt(call, channel, deps)
    limit = limited(attempt, call, deps)
    if (operation.isServed?.(attempt.context) === false) return undefined
    return await counted(call, attempt, operation)
  } catch (error) {
    const failure = judgeCall(error, call, channel)
    deps.log.warn(
      { requestId: call.requestId, channelId: channel.id, failureClass: failure.failureClass },
      'a token count was estimated because its channel failed',
    )
    if (isOfUpstream(failure.failureClass)) {
      void deps.health.failed(channel, {
        failureClass: failure.failureClass,
        message: failure.upstreamMessage,
        key: keyInUse(call),
      })
    }
    return undefined
  } finally {
    limit?.end()
  }
}

/** Undefined if the upstream returned no plausible number. */
async function counted(
  call: AdmittedCall,
  attempt: Attempt,
  operation: PlainOperation,
): Promise<JsonObject | undefined> {
  const { context } = attempt
  const { url, headers } = await byAdapter(attempt, operation.endpoint(context))
  let body: JsonObject = { ...call.body, model: context.model }
  body = codecs['anthropic-messages'].mendHistory(body, context.model)
  if (operation.body) body = await byAdapter(attempt, operation.body(body, context))
  const response = await send(attempt, {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const parsed = parseLoosely(await readText(response, LARGEST_ANSWER_BYTES))
  const answer = operation.answer
    ? await byAdapter(attempt, operation.answer(parsed, context), 'body')
    : parsed
  if (!isObject(answer)) return undefined
  const count = tokens(answer['input_tokens'])
  return count > 0 ? { ...answer, input_tokens: count } : undefined
}

interface Limit {
  end(): void
}

/** Limits the request: it is aborted when the time is over or the client has left. */
function limited(
  { abort, share }: Attempt,
  { reply }: AdmittedCall,
  { settings }: CountDeps,
): Limit {
  const { relayTimeoutMs } = settings
  const waitMs = relayTimeoutMs > 0 ? Math.min(relayTimeoutMs, LONGEST_WAIT_MS) : LONGEST_WAIT_MS
  const leave = () => abort.abort(relayErrors.tooSlow())
  const timer = setTimeout(leave, waitMs)
  reply.raw.once('close', leave)
  return {
    end: () => {
      clearTimeout(timer)
      reply.raw.off('close', leave)
      share.close()
    },
  }
}

function estimated(input: ReadCall): JsonObject {
  const request = codecs['anthropic-messages'].parseRequest(input.body ?? {}, {
    model: input.requestedModel,
  })
  return { input_tokens: countChatPrompt(request, input.requestedModel) }
}
