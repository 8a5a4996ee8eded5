import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PlainOperation } from '../../contract/adapter.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { countChatPrompt } from '../../billing/counting/prompt-tokens.ts'
import { codecs } from '../../dialects/index.ts'
import { checkModel, groupOf, pinnedChannel } from '../intake/admit.ts'
import { openAttempt, parseLoosely, readText, send } from '../call/attempt.ts'
import { byAdapter } from '../call/by-adapter.ts'
import { judgeCall } from '../failure/judge-call.ts'
import { readInput } from '../intake/read-input.ts'
import { keyInUse, openCall, type AdmittedCall, type ReadCall } from '../call/relay-call.ts'
import type { AdmitDeps, AttemptDeps, FailureDeps, HookDeps } from '../call/relay-deps.ts'
import { transformRequest } from '../hooks/transform-request.ts'
import { requestIdHeaders } from '../../http/request-id.ts'
import { callerOf } from '../intake/key-check.ts'

type CountDeps = AdmitDeps & AttemptDeps & FailureDeps & HookDeps

const LARGEST_ANSWER_BYTES = 1_048_576

/** Forwarded where the upstream counts, estimated elsewhere. Free of charge. */
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
  try {
    const attempt = openAttempt(call, channel, deps)
    if (operation.isServed?.(attempt.context) === false) return undefined
    const { url, headers } = await byAdapter(attempt, operation.endpoint(attempt.context))
    let body: JsonObject = { ...call.body, model: attempt.context.model }
    body = codecs['anthropic-messages'].mendHistory(body, attempt.context.model)
    if (operation.body) body = await byAdapter(attempt, operation.body(body, attempt.context))
    const response = await send(attempt, {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const told = parseLoosely(await readText(response, LARGEST_ANSWER_BYTES))
    const answer = operation.answer
      ? await byAdapter(attempt, operation.answer(told, attempt.context), 'body')
      : told
    return isObject(answer) && typeof answer['input_tokens'] === 'number' ? answer : undefined
  } catch (error) {
    const failure = judgeCall(error, call, channel)
    deps.log.warn(
      { requestId: call.requestId, channelId: channel.id, failureClass: failure.failureClass },
      'a token count was estimated because its channel failed',
    )
    if (failure.failureClass !== 'local' && failure.failureClass !== 'channel') {
      void deps.health.failed(channel, {
        failureClass: failure.failureClass,
        message: failure.upstreamMessage,
        key: keyInUse(call),
      })
    }
    return undefined
  }
}

function estimated(input: ReadCall): JsonObject {
  const request = codecs['anthropic-messages'].parseRequest(input.body ?? {}, {
    model: input.requestedModel,
  })
  return { input_tokens: countChatPrompt(request, input.requestedModel) }
}
