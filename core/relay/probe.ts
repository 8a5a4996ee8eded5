import { EventEmitter } from 'node:events'
import type { PlainOperation } from '../contract/adapter.ts'
import type { ChatEvent } from '../contract/neutral.ts'
import { AppError, ChannelFault, UpstreamError } from '../contract/errors.ts'
import { isObject } from '../contract/json.ts'
import type { ChannelProbe, ProbeResult, TestCall } from '../channels/upstream/channel-probe.ts'
import type { RoutedChannel } from '../channels/routing/routed-channel.ts'
import { maskKeys } from '../upstream-failures/mask-message.ts'
import { findFailureInSuccess } from '../upstream-failures/read-failure-body.ts'
import { codecs } from '../dialects/index.ts'
import { eventSplitter } from '../wire/framing.ts'
import { typedByBytes } from '../wire/event-beginning.ts'
import { answerBodyOf, collectStream, readAnswerBytes } from './chat/answer-whole.ts'
import { openAttempt, send, type Attempt } from './attempt/attempt.ts'
import { readText } from './attempt/read-answer.ts'
import { byAdapter } from './attempt/by-adapter.ts'
import { isOfUpstream, judge, wordsForAdmin, type JudgedFailure } from './failure/failures.ts'
import { operationUsage } from './operations/operation-usage.ts'
import type { CountedCall } from './chat/count-prompt.ts'
import {
  chatOf,
  isDialectChat,
  neutralOf,
  ownChat,
  prepareChat,
  type ChatCall,
} from './chat/prepare/prepare-chat.ts'
import { newClientState } from './call/client-state.ts'
import { keyInUse } from './call/relay-call.ts'
import type { AttemptDeps, PrepareDeps } from './call/relay-deps.ts'
import { convertPipeline } from './chat/stream-pipeline.ts'
import { UsageTally } from './charge/usage-tally.ts'
import { metaOf } from './chat/answer-meta.ts'
import { isStreamed } from './chat/is-streamed.ts'
import { parseLoosely } from '../wire/parse-loosely.ts'

const LARGEST_ANSWER_BYTES = 8 * 1_048_576

/** What a test call needs: an attempt and the body of a chat. It is neither admitted nor settled. */
export interface ProbeDeps extends AttemptDeps, PrepareDeps {}

/** Makes test calls of channels. They go through the adapter like any call, but without override, pass-through, retry,
 *  reservation or charge. */
export function createProbe(deps: ProbeDeps): ChannelProbe {
  return {
    async test(channel, call, signal) {
      const probed = probedCall(call)
      let attempt: Attempt | undefined
      try {
        attempt = openAttempt(probed, withoutOverrides(channel), deps)
        const { abort } = attempt
        signal.addEventListener('abort', () => abort.abort(signal.reason), { once: true })
        const usage =
          call.operation === 'chat'
            ? await testChat(probed, attempt, deps)
            : await testPlain(probed, attempt)
        return { usage }
      } catch (error) {
        return failed(error, channel, probed)
      } finally {
        attempt?.share.close()
      }
    },
  }
}

function withoutOverrides(channel: RoutedChannel): RoutedChannel {
  return { ...channel, paramOverride: undefined }
}

function failed(error: unknown, channel: RoutedChannel, call: ProbedCall): ProbeResult {
  const failure = judge(error, {
    channel,
    requestId: call.requestId,
    language: call.language,
    retryStatusCodes: '',
  })
  const { failureClass } = failure
  const isUpstream = isOfUpstream(failureClass)
  return {
    error: {
      message: wordsFor(error, failure, call.language),
      ...(isUpstream ? { failureClass } : {}),
      key: keyInUse(call),
    },
  }
}

/** What clients read is worded for them: it hides why an upstream could not be reached, masks addresses, and speaks of their own key and
 *  balance. The admin who tests the channel reads what happened, in words of the upstream where it has said any. */
function wordsFor(error: unknown, failure: JudgedFailure, language: 'en' | 'zh'): string {
  if (error instanceof AppError && error.code.startsWith('net.')) return error.messageIn(language)
  if (error instanceof AppError && failure.failureClass === 'channel') return wordsForAdmin(error)
  const { message, status } = failure.clientError
  if (!(error instanceof UpstreamError)) return message.replace(/ \(request id: [\w-]*\)$/, '')
  const said = error.failure.isKnownShape ? maskKeys(failure.upstreamMessage) : ''
  return said === '' ? `HTTP ${status}` : `HTTP ${status}: ${said}`
}

interface ProbedCall extends ChatCall, CountedCall {
  language: 'en' | 'zh'
}

/** A call without a client. The model is mapped already, so it maps to itself. */
function probedCall({ operation, upstreamModel: model, body, language }: TestCall): ProbedCall {
  const bytes = Buffer.from(JSON.stringify({ ...body, model }))
  return {
    operation,
    dialect: 'openai-chat',
    requestedModel: model,
    isStream: false,
    bytes,
    body: { ...body, model },
    form: undefined,
    includeUsage: false,
    request: { headers: {}, query: {} },
    reply: { raw: Object.assign(new EventEmitter(), { destroyed: false }) },
    client: newClientState(),
    requestId: 'channel-test',
    language,
    identity: { userId: 0 },
    promptEstimate: 0,
    neutral: undefined,
    triedKeys: undefined,
    notes: {},
    dropped: new Set(),
  }
}

async function testChat(call: ProbedCall, attempt: Attempt, deps: PrepareDeps) {
  const operation = chatOf(attempt)
  if (!operation)
    throw new ChannelFault('api_not_implemented', {
      en: 'The channel type of this channel has no chat.',
      zh: '此类型的渠道不支持对话。',
    })
  const prepared = await prepareChat(call, attempt, operation, deps)
  const response = await typedByBytes(await send(attempt, prepared.request))
  const tally = new UsageTally(call.requestedModel, () => 1)
  let events: ChatEvent[]
  if (!isStreamed(response, operation)) {
    const { body } = answerBodyOf(await readAnswerBytes(response))
    const failure =
      attempt.adapter.readError?.(200, body, response.headers) ?? findFailureInSuccess(body)
    if (failure) throw new UpstreamError(failure)
    const shaped =
      isDialectChat(operation) && operation.answer && prepared.dialect
        ? operation.answer(body, prepared.dialect, attempt.context)
        : body
    events = prepared.dialect
      ? codecs[prepared.dialect].parseAnswer(shaped)
      : ownChat(operation).readAnswer(body, attempt.context, neutralOf(call))
  } else {
    const parser = prepared.dialect
      ? codecs[prepared.dialect].streamParser()
      : ownChat(operation).streamReader(attempt.context, neutralOf(call))
    events = await collectStream(
      response,
      eventSplitter(operation.framing),
      convertPipeline(parser, codecs['openai-chat'], metaOf(call), {}),
    )
  }
  for (const event of events) {
    if (event.type === 'error') throw new UpstreamError(event.failure)
    tally.see(event)
  }
  return tally.complete()
}

async function testPlain(call: ProbedCall, attempt: Attempt) {
  const { context, adapter } = attempt
  const operation = adapter.operations[call.operation] as PlainOperation | undefined
  if (!operation)
    throw new ChannelFault('api_not_implemented', {
      en: `The channel type of this channel has no ${call.operation}.`,
      zh: `此类型的渠道不支持 ${call.operation}。`,
    })
  const { url, headers, method = 'POST' } = await byAdapter(attempt, operation.endpoint(context))
  let body = call.body ?? {}
  if (operation.body) body = await byAdapter(attempt, operation.body(body, context))
  const response = await send(attempt, {
    method,
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const parsed = parseLoosely(await readText(response, LARGEST_ANSWER_BYTES))
  const failure = adapter.readError?.(200, parsed, response.headers) ?? findFailureInSuccess(parsed)
  if (failure) throw new UpstreamError(failure)
  const answer = operation.answer
    ? await byAdapter(attempt, operation.answer(parsed, context), 'body')
    : parsed
  return operationUsage(
    call,
    isObject(answer) ? answer : undefined,
    isObject(answer) ? operation.usage?.(answer, context) : undefined,
  )
}
