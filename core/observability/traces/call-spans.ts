// One trace for each call, made when it has ended: a span for the call, one for each attempt, one for the settlement.
// Names follow OpenTelemetry's conventions for HTTP and generative AI. Spans contain no prompt, answer or key, and the
// route's pattern instead of the path and query that the client sent.
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { FastifyRequest } from 'fastify'
import type { CallOperation } from '../../contract/adapter.ts'
import type { TokenIdentity } from '../../contract/services.ts'
import type { CallEnd, CallTraces } from '../../relay/call/call-traces.ts'
import type { AdmittedCall, RelayCall } from '../../relay/call/relay-call.ts'
import type { TriedChannel } from '../../relay/attempt/tried-channels.ts'

/** Operations for which the conventions have a name of their own. */
const operationNames: Partial<Record<CallOperation, string>> = { completions: 'text_completion' }

const propagator = new W3CTraceContextPropagator()

/** How a request ended, including those that never became a call. */
interface RequestEnd {
  status: number
  /** Why it failed. */
  reason: string | undefined
  /** The settled call, if there is one. */
  settled: { call: RelayCall; end: CallEnd } | undefined
}

/** Converts values of `performance.now()` to the time of day for one trace. If the clock was set meanwhile, all times
 *  move alike. */
class Times {
  readonly #clockMs = Date.now() - performance.now()
  readonly end = this.at(performance.now())

  at(milliseconds: number): number {
    return this.#clockMs + milliseconds
  }
}

export class CallSpans implements CallTraces {
  readonly #tracer: Tracer
  readonly #close: () => Promise<void>
  /** A request that names several models has a call for each model that was tried. */
  readonly #calls = new WeakMap<FastifyRequest, AdmittedCall[]>()

  constructor(tracer: Tracer, close: () => Promise<void>) {
    this.#tracer = tracer
    this.#close = close
  }

  admitted(call: AdmittedCall): void {
    const before = this.#calls.get(call.request)
    if (before) before.push(call)
    else this.#calls.set(call.request, [call])
  }

  settled(call: RelayCall, end: CallEnd): void {
    const reason = end.status >= 400 ? `${end.status}` : undefined
    this.#write(call.request, { status: end.status, reason, settled: { call, end } })
  }

  refused(request: FastifyRequest, status: number, reason: string): void {
    this.#write(request, { status, reason, settled: undefined })
  }

  close(): Promise<void> {
    return this.#close()
  }

  #write(request: FastifyRequest, ended: RequestEnd): void {
    const times = new Times()
    const calls = this.#calls.get(request) ?? []
    this.#calls.delete(request)
    // A request that was refused before admission has no start time.
    const started = calls[0]?.startedAtMs
    const startTime = started === undefined ? times.end : times.at(started)
    const route = request.routeOptions.url ?? 'unknown'
    const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
    const name = `${request.method} ${route}`
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, startTime }, parent)
    if (!span.isRecording()) return
    span.setAttributes({ 'http.request.method': request.method, 'http.route': route })
    describeRequest(span, request, ended)
    const last = calls.at(-1)
    if (last) describeCall(span, last)
    const { settled } = ended
    if (settled) describeSettled(span, settled.call, settled.end)
    const firstByteMs = last?.client.firstByteAtMs
    if (firstByteMs !== undefined) span.addEvent('first_byte', times.at(firstByteMs))
    const context = trace.setSpan(parent, span)
    let number = 0
    for (const call of calls)
      for (const tried of call.tried)
        this.#writeAttempt({ call, tried, number: ++number }, ended, times, context)
    if (settled) this.#writeSettlement(settled.end, times, context)
    span.end(times.end)
  }

  #writeAttempt(
    { call, tried, number }: { call: AdmittedCall; tried: TriedChannel; number: number },
    { settled, status }: RequestEnd,
    times: Times,
    context: Context,
  ): void {
    const { channel, failed, startedAtMs } = tried
    const answered =
      settled?.end.attempt?.channel === channel && failed === undefined ? settled.end : undefined
    const operation = nameOf(call.operation)
    const model = answered?.attempt?.upstreamModel ?? call.requestedModel
    const attributes: Attributes = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': channel.adapter?.id ?? 'unknown',
      'gen_ai.request.model': model,
      'http.response.status_code': failed?.status ?? status,
      'tollgate.channel.id': channel.id,
      'tollgate.attempt': number,
    }
    if (failed) attributes['error.type'] = failed.failureClass
    const span = this.#tracer.startSpan(
      `${operation} ${model}`,
      { kind: SpanKind.CLIENT, startTime: times.at(startedAtMs), attributes },
      context,
    )
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    const endedAtMs = failed ? startedAtMs + failed.durationMs : answered?.settlingAtMs
    span.end(endedAtMs === undefined ? times.end : times.at(endedAtMs))
  }

  #writeSettlement(end: CallEnd, times: Times, context: Context): void {
    if (end.settlingAtMs === undefined) return
    const startTime = times.at(end.settlingAtMs)
    const attributes = { 'tollgate.units': end.units, 'tollgate.rule': end.rule }
    this.#tracer.startSpan('settle', { startTime, attributes }, context).end(times.end)
  }
}

function nameOf(operation: CallOperation): string {
  return operationNames[operation] ?? operation
}

function describeRequest(
  span: Span,
  request: FastifyRequest,
  { status, reason }: RequestEnd,
): void {
  span.setAttribute('http.response.status_code', status)
  span.setAttribute('tollgate.request.id', request.id)
  if (request.relayCaller) describeCaller(span, request.relayCaller.identity)
  if (reason === undefined) return
  span.setAttribute('error.type', reason)
  // The conventions leave the status of a server's span unset if the client is at fault.
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}

function describeCaller(span: Span, { userId, tokenId }: TokenIdentity): void {
  span.setAttribute('user.id', `${userId}`)
  span.setAttribute('tollgate.token.id', tokenId)
}

function describeCall(span: Span, call: AdmittedCall): void {
  span.setAttributes({
    'gen_ai.operation.name': nameOf(call.operation),
    'gen_ai.request.model': call.requestedModel,
    'gen_ai.request.stream': call.isStream,
    'tollgate.group': call.group,
  })
  describeCaller(span, call.identity)
}

function describeSettled(span: Span, { tried }: RelayCall, end: CallEnd): void {
  const { usage, attempt } = end
  span.setAttributes({
    'gen_ai.usage.input_tokens': usage.input,
    'gen_ai.usage.output_tokens': usage.output,
    'tollgate.attempts': tried.length,
    'tollgate.units': end.units,
    'tollgate.rule': end.rule,
  })
  if (attempt)
    span.setAttributes({
      'gen_ai.response.model': attempt.upstreamModel,
      'tollgate.channel.id': attempt.channel.id,
    })
  if (usage.cacheRead > 0)
    span.setAttribute('gen_ai.usage.cache_read.input_tokens', usage.cacheRead)
}
