// One attempt of a chat call: prepare, send, answer in the client's dialect.
import type { ChatOperation } from '../../contract/adapter.ts'
import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { ChannelFault, UpstreamError } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../../dialects/index.ts'
import { eventSplitter } from '../../wire/framing.ts'
import { beginsEvents, inOnePiece, typedByBytes } from '../../wire/event-beginning.ts'
import {
  answerBackground,
  followResponse,
  isBackground,
  isUnderWay,
} from './background/background-answer.ts'
import { type InstructionsEraser, instructionsEraser } from './prepare/channel-instructions.ts'
import { clientCodec } from './client-codec.ts'
import { keepCharge } from './background/keep-charge.ts'
import { answerStream, type StreamAnswer } from './answer-stream.ts'
import {
  answerBodyOf,
  answerWhole,
  collectStream,
  readAnswerBytes,
  type Shape,
} from './answer-whole.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { Exchange } from '../attempt/exchange.ts'
import { answerTexts, type AnswerTexts } from '../hooks/answer-texts.ts'
import { shownEvents } from '../hooks/shown-events.ts'
import { sendChat } from './send-chat.ts'
import { countPrompt } from './count-prompt.ts'
import { asArray } from './gemini-array-stream.ts'
import { isStreamed } from './is-streamed.ts'
import { withKeepAlive } from './keep-alive.ts'
import { metaOf } from './answer-meta.ts'
import {
  chatOf,
  isDialectChat,
  neutralOf,
  ownChat,
  prepareChat,
  type PreparedChat,
} from './prepare/prepare-chat.ts'
import { answerAsStream } from './answer-as-stream.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { ChatDeps } from '../call/relay-deps.ts'
import { pingOf, wantsArray } from './client-stream-format.ts'
import { trackResponse } from './track-response.ts'
import {
  chained,
  convertPipeline,
  editData,
  passPipeline,
  thinkingToContent,
  type EventEdit,
  type EventMap,
  type StreamPipeline,
} from './stream-pipeline.ts'
import { UsageTally } from '../charge/usage-tally.ts'

/** @throws whatever made the attempt fail before anything reached the client */
export async function chatAttempt(
  call: RelayCall,
  attempt: Attempt,
  deps: ChatDeps,
): Promise<void> {
  const operation = chatOf(attempt)
  if (!operation)
    throw new ChannelFault('api_not_implemented', {
      en: 'The channel type of this channel has no chat.',
      zh: '此类型的渠道不支持对话。',
    })
  const texts = answerTexts(call, deps)
  const shown = shownEvents(call, deps)
  const { prepared, response } = await withKeepAlive(call, deps, async () => {
    const prepared = await prepareChat(call, attempt, operation, deps)
    const response = await sendChat(attempt, prepared.request, prepared.dialect)
    return { prepared, response: call.isStream ? await typedByBytes(response) : response }
  })
  const exchange: ChatExchange = {
    call,
    attempt,
    operation,
    prepared,
    response,
    meta: texts ? metaOfRewritten(call, prepared, texts) : metaOf(call, prepared),
    texts,
    shown,
    tally: new UsageTally(call.requestedModel, () => countPrompt(call, deps.settings)),
    watch: watchOf(call, attempt, prepared, deps),
  }
  const { meta } = exchange
  // The record is for observers and caches, which never refer to items of the answer later: nothing is kept for them.
  call.record?.begin(
    (events) => clientCodec(call).writeAnswer(events, { ...meta, keepOutput: undefined }),
    meta.hidesThoughts,
  )
  if (isStreamed(response, operation)) await readStreamed(exchange, deps)
  else await readWhole(exchange, deps)
}

/** What later calls of the conversation will need of this answer. */
function watchOf(
  call: RelayCall,
  attempt: Attempt,
  { isPassThrough }: PreparedChat,
  deps: ChatDeps,
): ((event: ChatEvent) => void) | undefined {
  const { userId } = call.identity
  if (isPassThrough && call.dialect !== 'openai-chat') return trackResponse(call, attempt, deps)
  const sealed = isPassThrough ? undefined : deps.sealedReasoning.watch(userId)
  if (call.body?.['tools'] === undefined) return sealed
  const thoughts = deps.unsealedReasoning.watch(userId)
  return (event) => {
    sealed?.(event)
    thoughts(event)
  }
}

interface ChatExchange extends Exchange<ChatOperation> {
  prepared: PreparedChat
  meta: AnswerMeta
  tally: UsageTally
  watch: ((event: ChatEvent) => void) | undefined
}

async function readStreamed(exchange: ChatExchange, deps: ChatDeps): Promise<void> {
  const { call, attempt, operation, prepared, response, tally, watch, meta, shown } = exchange
  const splitter = eventSplitter(operation.framing)
  // If the client asked for no stream, the stream is collected and shaped as a whole answer later.
  const translator = translatorOf(exchange, call.isStream ? mapOf(exchange) : undefined)
  if (!call.isStream) {
    const events = await collectStream(response, splitter, translator, attempt)
    return answerWhole(
      { call, attempt, events, meta, tally, watch, shape: shapeOf(exchange) },
      deps,
    )
  }
  const pipeline = shown ? shown.through(translator) : translator
  const background =
    prepared.isPassThrough && isBackground(call) ? inBackground(exchange, deps) : {}
  return answerStream(
    {
      call,
      attempt,
      response,
      splitter,
      translator: wantsArray(call) ? asArray(pipeline) : pipeline,
      tally,
      watch,
      ping: pingOf(call),
      hidesThoughts: meta.hidesThoughts,
      ...background,
    },
    deps,
  )
}

function inBackground(
  { call, attempt, watch }: ChatExchange,
  deps: ChatDeps,
): Pick<StreamAnswer, 'watch' | 'isUnderWay' | 'keeping' | 'goOn'> {
  let id: string | undefined
  let keeping: Promise<void> | undefined
  return {
    watch: (event) => {
      watch?.(event)
      if (event.type !== 'start' || id !== undefined || !event.id) return
      id = event.id
      keeping = keepCharge(call, attempt, id, deps)
        .catch((err: unknown) =>
          deps.log.error({ err, requestId: call.requestId }, 'a background response is not kept'),
        )
        .finally(() => (keeping = undefined))
    },
    isUnderWay: () => id !== undefined,
    keeping: () => keeping,
    goOn: (lost) => {
      if (id === undefined) return false
      followResponse({ call, attempt, id, lost }, deps)
      return true
    },
  }
}

function translatorOf(exchange: ChatExchange, map: EventMap | undefined): StreamPipeline {
  const { call, attempt, operation, prepared, meta } = exchange
  const client = clientCodec(call)
  const edit = passedEditOf(exchange) ?? editOf(exchange)
  const mustRewrite = attempt.context.channel.setting['force_format'] === true || map !== undefined
  if (prepared.isPassThrough && !mustRewrite)
    return passPipeline(client, meta, { edit, hints: prepared.hints })
  const parser = prepared.dialect
    ? codecs[prepared.dialect].streamParser(prepared.hints)
    : ownChat(operation).streamReader(attempt.context, neutralOf(call))
  return convertPipeline(parser, client, meta, {
    edit,
    hints: prepared.hints,
    isOfDialect: prepared.dialect !== undefined,
    map,
  })
}

/** With the instructions of the channel taken out. Undefined where there are none, or nothing is passed on. */
function passedEditOf(exchange: ChatExchange): EventEdit | undefined {
  const eraser = eraserOf(exchange)
  if (!eraser) return undefined
  const edit = editOf(exchange)
  return (event) => {
    const edited = edit ? edit(event) : event
    return edited && eraser.event(edited)
  }
}

function eraserOf({ call, attempt, prepared }: ChatExchange): InstructionsEraser | undefined {
  return prepared.isPassThrough ? instructionsEraser(call, attempt.context) : undefined
}

function editOf({ operation, prepared, attempt }: ChatExchange): EventEdit | undefined {
  if (!isDialectChat(operation) || !prepared.dialect) return undefined
  const { dialect } = prepared
  const { streamData, streamEvents } = operation
  if (!streamData && !streamEvents) return undefined
  return (event) => {
    if (event.event !== undefined && streamEvents && !streamEvents.includes(event.event))
      return undefined
    return streamData
      ? editData(event, (data) => streamData(data, dialect, attempt.context))
      : event
  }
}

function wantsThinkingInContent({ attempt }: ChatExchange): boolean {
  return attempt.context.channel.setting['thinking_to_content'] === true
}

async function readWhole(exchange: ChatExchange, deps: ChatDeps): Promise<void> {
  const { call, attempt, response, tally, watch, meta, shown } = exchange
  const came = await readAnswerBytes(response, attempt)
  if (beginsEvents(came))
    return readStreamed({ ...exchange, response: inOnePiece(response, came) }, deps)
  const { bytes, body } = answerBodyOf(came)
  const { events, edited } = eventsOf(exchange, body)
  if (isUnderWay(call, edited)) {
    const shown = edited === body ? bytes : Buffer.from(JSON.stringify(edited))
    return answerBackground({ ...exchange, bytes: shown, events }, deps)
  }
  const shape = shapeOf(exchange)
  if (call.isStream)
    return answerAsStream({ call, attempt, events, meta, tally, watch, shape, shown }, deps)
  const { isPassThrough } = exchange.prepared
  const passed = isPassThrough ? { bytes, body: edited, isEdited: edited !== body } : undefined
  const { headers } = response
  return answerWhole({ call, attempt, events, meta, tally, watch, passed, headers, shape }, deps)
}

function eventsOf(
  exchange: ChatExchange,
  body: JsonObject,
): { events: ChatEvent[]; edited: JsonObject } {
  const { call, attempt, operation, prepared, response } = exchange
  const { adapter, context } = attempt
  const own = adapter.readError?.(200, body, response.headers)
  if (own) throw new UpstreamError(own)
  if (!isDialectChat(operation) || !prepared.dialect)
    return { events: ownChat(operation).readAnswer(body, context, neutralOf(call)), edited: body }
  const failure = codecs[prepared.dialect].readError(200, body)
  if (failure) throw new UpstreamError(failure)
  const answer = operation.answer ? operation.answer(body, prepared.dialect, context) : body
  const edited = eraserOf(exchange)?.body(answer) ?? answer
  return { events: codecs[prepared.dialect].parseAnswer(edited, prepared.hints), edited }
}

/** The changes to the events of a streamed answer between the upstream's and the client's dialect. */
function mapOf(exchange: ChatExchange): EventMap | undefined {
  const { texts } = exchange
  if (!wantsThinkingInContent(exchange)) return texts
  return texts ? chained(texts, thinkingToContent()) : thinkingToContent()
}

/** The same for a whole answer; undefined if no hook handles it. */
function shapeOf(exchange: ChatExchange): Shape | undefined {
  const { texts } = exchange
  if (!wantsThinkingInContent(exchange)) return texts && ((events) => texts.whole(events))
  const thinking = thinkingToContent()
  return (events) => (texts ? texts.whole(events) : events).flatMap((event) => thinking.map(event))
}

/** Facts for an answer that is written anew. It repeats the client's request, even if the question was passed through. */
function metaOfRewritten(call: RelayCall, prepared: PreparedChat, texts: AnswerTexts): AnswerMeta {
  try {
    neutralOf(call)
  } catch {
    // The echo then lacks the fields that the neutral form cannot express, nothing else.
  }
  const meta = metaOf(call, prepared)
  if (!prepared.isPassThrough || call.body?.['store'] === false) return meta
  return Object.defineProperty(meta, 'responseId', { get: () => texts.upstreamId })
}
