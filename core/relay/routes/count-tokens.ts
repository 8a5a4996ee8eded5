import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PlainOperation } from '../../contract/adapter.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { RoutedChannel } from '../../channels/routing/routed-channel.ts'
import { countChatPrompt } from '../../billing/counting/prompt-tokens.ts'
import { codecs } from '../../dialects/index.ts'
import { tokens } from '../../dialects/neutral/usage.ts'
import { boundChannel, checkModel, groupOf } from '../intake/admit.ts'
import { openAttempt, send, type Attempt } from '../attempt/attempt.ts'
import { readText } from '../attempt/read-answer.ts'
import { byAdapter } from '../attempt/by-adapter.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { isOfUpstream } from '../failure/failures.ts'
import { judgeCall } from '../failure/judge-call.ts'
import { readInput } from '../intake/read-input.ts'
import { keyInUse, openCall, type AdmittedCall, type ReadCall } from '../call/relay-call.ts'
import type { AdmitDeps, AttemptDeps, FailureDeps, HookDeps } from '../call/relay-deps.ts'
import { channelRequest, withChannelInstructions } from '../chat/prepare/channel-instructions.ts'
import { transformRequest } from '../hooks/transform-request.ts'
import { requestIdHeaders } from '../../http/request-id.ts'
import { callerOf } from '../intake/key-check.ts'
import { parseLoosely } from '../../wire/parse-loosely.ts'

type CountDeps = AdmitDeps & AttemptDeps & FailureDeps & HookDeps

const LARGEST_ANSWER_BYTES = 1_048_576
/** Short, because the gateway's own estimate is available at once. */
const LONGEST_WAIT_MS = 15_000

/** A call whose tokens are counted, named as the operation of the upstreams that count such calls. */
interface CountInput extends ReadCall {
  readonly operation: 'count_tokens' | 'responses.input_tokens' | 'gemini.count_tokens'
}

export async function answerMessagesCount(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: CountDeps,
): Promise<JsonObject> {
  const shape = { operation: 'count_tokens', dialect: 'anthropic-messages' } as const
  const input = await readInput(request, shape, deps.options)
  return answerTokenCount({ ...input, ...shape }, request, reply, deps)
}

/** Forwards the request to upstreams that count tokens, else estimates. Free of charge. */
export async function answerTokenCount(
  input: CountInput,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: CountDeps,
): Promise<JsonObject> {
  const caller = callerOf(request)
  const group = groupOf(caller.identity, deps, input.requestedModel)
  const pinned = checkModel(input, caller, group, deps)
  if (input.fault) throw input.fault
  reply.headers(requestIdHeaders(request.id))
  const call = openCall(input, caller, group, reply)
  const channel = channelOf(call, pinned, deps)
  const operation = channel?.adapter?.operations[input.operation]
  if (!channel || !operation) return estimated(input, channel)
  await transformRequest(call, deps)
  const answer = await forwarded(call, channel, operation, deps)
  return answer ?? estimated(input, channel)
}

/** A response that continues a stored one can be counted only where that is kept. */
function channelOf(
  call: AdmittedCall,
  pinned: RoutedChannel | undefined,
  deps: CountDeps,
): RoutedChannel | undefined {
  if (pinned) return pinned
  const bound = boundChannel(call, deps)
  if (bound !== 'free') return bound
  call.bound = undefined
  const { group, requestedModel: model } = call
  const chosen = deps.index().select({ group, model, attempt: 0 })
  return chosen === 'none' ? undefined : chosen
}

async function forwarded(
  call: AdmittedCall,
  channel: RoutedChannel,
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
    // Many hosts that speak a provider's API have no such path, which is no fault of the channel.
    if (isOfUpstream(failure.failureClass) && failure.failureClass !== 'not-found') {
      void deps.health.failed(channel, {
        failureClass: failure.failureClass,
        message: failure.upstreamMessage,
        ownMessage: failure.ownMessage,
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
  // Gemini's API has the model in the address.
  let body: JsonObject =
    call.dialect === 'gemini' ? { ...call.body } : { ...call.body, model: context.model }
  body = codecs[call.dialect].mendHistory(body, context.model)
  body = withChannelInstructions(body, call, context)
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
  const field = fieldOf(call)
  const count = tokens(answer[field])
  return count > 0 ? { ...answer, [field]: count } : undefined
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

/** With the instructions that the channel would add, because they are charged. */
function estimated(input: CountInput, channel: RoutedChannel | undefined): JsonObject {
  const { dialect, body = {}, requestedModel: model } = input
  const request = codecs[dialect].parseRequest(body, { model })
  const sent = channel ? channelRequest(request, input, { channel: channel.view }) : request
  return { [fieldOf(input)]: countChatPrompt(sent, model) }
}

/** Where an answer has the number. */
function fieldOf({ dialect }: Pick<CountInput, 'dialect'>): 'totalTokens' | 'input_tokens' {
  return dialect === 'gemini' ? 'totalTokens' : 'input_tokens'
}
