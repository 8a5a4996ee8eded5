// One attempt of /v1/completions on an upstream that offers it.
import type { PlainOperation } from '../../../contract/adapter.ts'
import type { UpstreamRequest } from '../../../contract/http-client.ts'
import type { ChatEvent } from '../../../contract/neutral.ts'
import type { SseEvent } from '../../../contract/dialect.ts'
import { UpstreamError } from '../../../contract/errors.ts'
import { isObject, type JsonObject } from '../../../contract/json.ts'
import { beginsEvents, inOnePiece, typedByBytes } from '../../../wire/event-beginning.ts'
import { mediaTypeOf } from '../../../wire/media-type.ts'
import { SseSplitter } from '../../../wire/sse.ts'
import { usageOf } from '../../../dialects/neutral/usage.ts'
import { answerStream } from '../answer-stream.ts'
import {
  answerBodyOf,
  answerWhole,
  collectStream,
  readAnswerBytes,
  type Shape,
} from '../answer-whole.ts'
import type { Attempt } from '../../attempt/attempt.ts'
import type { Exchange } from '../../attempt/exchange.ts'
import { shownEvents } from '../../hooks/shown-events.ts'
import { answerTexts } from '../../hooks/answer-texts.ts'
import { byAdapter } from '../../attempt/by-adapter.ts'
import { metaOf } from '../answer-meta.ts'
import { withKeepAlive } from '../keep-alive.ts'
import { completionsCodec, textFormOf } from './completions-codec.ts'
import { withOverrides } from '../prepare/apply-param-override.ts'
import { countPrompt } from '../count-prompt.ts'
import {
  chatOf,
  isDialectChat,
  mayPassUntouched,
  withStreamUsage,
} from '../prepare/prepare-chat.ts'
import { headersOfDialect } from '../../call/client-state.ts'
import type { RelayCall } from '../../call/relay-call.ts'
import type { ChatDeps } from '../../call/relay-deps.ts'
import { answerAsStream } from '../answer-as-stream.ts'
import { sendChat } from '../send-chat.ts'
import { pingOf } from '../client-stream-format.ts'
import { readTextAnswer } from './text-answers.ts'
import { convertPipeline, editData, passPipeline } from '../stream-pipeline.ts'
import { UsageTally } from '../../charge/usage-tally.ts'
import { unreadable } from '../../../dialects/neutral/parsed-event.ts'

interface CompletionsExchange extends Exchange<PlainOperation> {
  tally: UsageTally
}

/** @throws any failure from before the first byte reached the client */
export async function completionsAttempt(
  call: RelayCall,
  attempt: Attempt,
  operation: PlainOperation,
  deps: ChatDeps,
): Promise<void> {
  const texts = answerTexts(call, deps)
  const shown = shownEvents(call, deps)
  const response = await withKeepAlive(call, deps, async () => {
    const response = await sendChat(attempt, await prepare(call, attempt, operation, deps))
    return call.isStream ? typedByBytes(response) : response
  })
  const count = () => countPrompt(call, deps.settings)
  const tally = new UsageTally(call.requestedModel, count, textFormOf(call.body))
  const exchange: CompletionsExchange = { call, attempt, operation, response, tally, texts, shown }
  call.record?.begin((events) => completionsCodec.writeAnswer(events, metaOf(call)))
  const isStreamed = mediaTypeOf(response.headers).includes('text/event-stream')
  await (isStreamed ? readStreamed(exchange, deps) : readWhole(exchange, deps))
}

async function prepare(
  call: RelayCall,
  attempt: Attempt,
  operation: PlainOperation,
  deps: ChatDeps,
): Promise<UpstreamRequest> {
  const { context } = attempt
  const { url, headers, method = 'POST' } = await byAdapter(attempt, operation.endpoint(context))
  const original = call.body as JsonObject
  const chat = chatOf(attempt)
  const rule = chat && isDialectChat(chat) ? chat.streamUsage : undefined
  let body: JsonObject =
    original['model'] === context.model ? original : { ...original, model: context.model }
  if (operation.body || !mayPassUntouched(context)) {
    body = withStreamUsage(body, call, rule, deps)
    if (operation.body) body = await byAdapter(attempt, operation.body(body, context))
    body = withOverrides(body, attempt)
  }
  return {
    method,
    url,
    headers: { 'content-type': 'application/json', ...headersOfDialect(context), ...headers },
    body: body === original ? call.bytes : JSON.stringify(body),
  }
}

function translatorOf({ call, attempt, operation, texts }: CompletionsExchange) {
  const { streamData } = operation
  const own = streamData && ((data: JsonObject) => streamData(data, attempt.context))
  const edit = own && ((event: SseEvent) => editData(event, own))
  const meta = metaOf(call)
  // A stream that is collected is shaped later, as the whole answer that it becomes.
  if (!texts || !call.isStream) return passPipeline(completionsCodec, meta, { edit })
  const parser = completionsCodec.streamParser()
  return convertPipeline(parser, completionsCodec, meta, { edit, map: texts, isOfDialect: true })
}

async function readStreamed(exchange: CompletionsExchange, deps: ChatDeps): Promise<void> {
  const { call, attempt, response, tally } = exchange
  const splitter = new SseSplitter()
  const translator = translatorOf(exchange)
  if (!call.isStream) {
    const events = await collectStream(response, splitter, translator, attempt)
    const shape = shapeOf(exchange)
    return answerWhole({ call, attempt, events, meta: metaOf(call), tally, shape }, deps)
  }
  return answerStream(
    {
      call,
      attempt,
      response,
      splitter,
      translator: exchange.shown ? exchange.shown.through(translator) : translator,
      tally,
      ping: pingOf(call),
    },
    deps,
  )
}

async function readWhole(exchange: CompletionsExchange, deps: ChatDeps): Promise<void> {
  const { call, attempt, operation, response, tally } = exchange
  const { context, adapter } = attempt
  const came = await readAnswerBytes(response, attempt)
  if (beginsEvents(came))
    return readStreamed({ ...exchange, response: inOnePiece(response, came) }, deps)
  const { bytes, body } = answerBodyOf(came)
  const failure = adapter.readError?.(200, body, response.headers)
  if (failure) throw new UpstreamError(failure)
  const edited = operation.answer
    ? await byAdapter(attempt, operation.answer(body, context), 'body')
    : body
  if (!isObject(edited)) throw unreadable()
  const events: ChatEvent[] = readTextAnswer(edited)
  const found = operation.usage?.(edited, context)
  if (found) events.push({ type: 'usage', usage: usageOf(found) })
  const meta = metaOf(call)
  const shape = shapeOf(exchange)
  if (call.isStream) return answerAsStream({ call, attempt, events, meta, tally, shape }, deps)
  const passed = { bytes, body: edited, isEdited: edited !== body }
  return answerWhole({ call, attempt, events, meta, tally, passed, shape }, deps)
}

function shapeOf({ texts }: CompletionsExchange): Shape | undefined {
  return texts && ((events) => texts.whole(events))
}
