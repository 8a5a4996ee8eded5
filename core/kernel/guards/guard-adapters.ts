// As in guard-contributions.ts: a faulty adapter from outside costs the calls that it alone can serve, and is named.
import type {
  Adapter,
  BinaryAnswer,
  ChatOperation,
  DialectChat,
  Operations,
  OwnChat,
  PlainOperation,
  RealtimeOperation,
} from '../../contract/adapter.ts'
import type { StreamParser } from '../../contract/dialect.ts'
import { AppError, UpstreamError } from '../../contract/errors.ts'
import { isObject } from '../../contract/json.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { Logger } from '../../contract/services.ts'
import { EntryGuard, notAllowed, orNothing, type Work } from './entry-guard.ts'
import {
  checkAnswer,
  checkBinary,
  checkBody,
  checkEndpoint,
  checkForm,
  checkModel,
  checkRequest,
  checkResponse,
} from './check-answers.ts'
import { checkEvents, isFailure, isFailureClass, isUsage } from './check-events.ts'
import { guardTasks } from './guard-tasks.ts'
import type { Meter } from './measures.ts'

const nothing = (): undefined => undefined

/** Its functions may be methods of an object or class. */
function bound<T extends object, K extends keyof T>(owner: T, key: K): T[K] {
  const work = owner[key]
  return typeof work === 'function' ? (work.bind(owner) as T[K]) : work
}

export function guardAdapter(adapter: Adapter, meter: Meter, log: Logger): Adapter {
  const guard = new EntryGuard({ what: 'adapter', id: adapter.id, owner: adapter.id }, meter, log)
  const [checkChannel, resolveModel] = [
    bound(adapter, 'checkChannel'),
    bound(adapter, 'resolveModel'),
  ]
  const [fetchModels, fetchBalance] = [
    bound(adapter, 'fetchModels'),
    bound(adapter, 'fetchBalance'),
  ]
  const [readError, transport] = [bound(adapter, 'readError'), bound(adapter, 'transport')]
  const [classify, isRetryable] = [bound(adapter, 'classify'), bound(adapter, 'isRetryable')]
  const isNoneOr = (isSound: (value: unknown) => boolean) => (value: unknown) =>
    value === undefined || value === null || isSound(value)
  return Object.freeze({
    ...adapter,
    operations: guardOperations(adapter.operations, guard),
    ...(adapter.tasks && { tasks: guardTasks(adapter.tasks, adapter.id, meter, log) }),
    ...(checkChannel && { checkChannel: guard.strict('checkChannel', checkChannel) }),
    ...(resolveModel && { resolveModel: guard.strict('resolveModel', resolveModel, checkModel) }),
    ...(transport && { transport: guard.awaited('transport', transport, checkResponse) }),
    ...(readError && {
      readError: guard.lenient('readError', readError, isNoneOr(isFailure), nothing),
    }),
    ...(classify && {
      classify: guard.lenient('classify', classify, isNoneOr(isFailureClass), nothing),
    }),
    ...(isRetryable && {
      isRetryable: guard.lenient(
        'isRetryable',
        isRetryable,
        isNoneOr((value) => typeof value === 'boolean'),
        nothing,
      ),
    }),
    ...(fetchModels && { fetchModels: asked(guard, 'fetchModels', fetchModels, isNames) }),
    ...(fetchBalance && {
      fetchBalance: asked(
        guard,
        'fetchBalance',
        fetchBalance,
        (value) => typeof value === 'number',
      ),
    }),
  })
}

const MAX_NAMES = 100_000
const MAX_NAME = 500

function isNames(value: unknown): boolean {
  const isName = (name: unknown) =>
    typeof name === 'string' && name !== '' && name.length <= MAX_NAME
  return Array.isArray(value) && value.length <= MAX_NAMES && value.every(isName)
}

/** For what an admin asks, who reads what is thrown. */
function asked<A extends unknown[], R>(
  guard: EntryGuard,
  part: string,
  work: Work<A, Promise<R>>,
  isSound: (value: unknown) => boolean,
): Work<A, Promise<R>> {
  return async (...args) => {
    try {
      const given = await work(...args)
      if (isSound(given)) return given
      throw new TypeError(notAllowed)
    } catch (error) {
      if (error instanceof AppError || error instanceof UpstreamError) throw error
      throw guard.blame(part, error)
    }
  }
}

function guardOperations(operations: Operations, guard: EntryGuard): Operations {
  const guarded: Record<string, unknown> = {}
  for (const [name, operation] of Object.entries(operations)) {
    if (operation === undefined) continue
    checkOperation(name, operation)
    if (name === 'chat') guarded[name] = guardChatChoice(operation as Operations['chat'], guard)
    else if (name === 'realtime')
      guarded[name] = guardRealtime(operation as RealtimeOperation, guard)
    else guarded[name] = guardPlain(operation as PlainOperation, guard)
  }
  return guarded
}

/** @throws Error that names the key */
function checkOperation(name: string, operation: unknown): void {
  const isSound =
    name === 'chat'
      ? typeof operation === 'function' || isChat(operation)
      : isObject(operation) && typeof operation['endpoint'] === 'function'
  if (isSound) return
  const wanted =
    name === 'chat' ? 'dialects and endpoint, or send, readAnswer and streamReader' : 'endpoint'
  throw new Error(`key "operations.${name}" lacks ${wanted}`)
}

function guardChatChoice(chat: Operations['chat'], guard: EntryGuard): Operations['chat'] {
  if (typeof chat !== 'function') return chat && guardChat(chat, guard)
  const known = new WeakMap<ChatOperation, ChatOperation>()
  const choose = guard.strict('chat', chat, (operation) => {
    if (!isChat(operation)) throw new TypeError('chat() gave no format')
  })
  return (context) => {
    const operation = choose(context)
    const guarded = known.get(operation) ?? guardChat(operation, guard)
    known.set(operation, guarded)
    return guarded
  }
}

function isChat(operation: unknown): boolean {
  const has = (...names: string[]) =>
    isObject(operation) && names.every((name) => typeof operation[name] === 'function')
  const isOwn = has('send', 'readAnswer', 'streamReader')
  return isOwn || (has('endpoint') && (operation as DialectChat).dialects !== undefined)
}

function guardChat(chat: ChatOperation, guard: EntryGuard): ChatOperation {
  return 'dialects' in chat ? guardDialectChat(chat, guard) : guardOwnChat(chat, guard)
}

function guardDialectChat(chat: DialectChat, guard: EntryGuard): DialectChat {
  const { streamUsage, framing, streamEvents } = chat
  const dialects = bound(chat, 'dialects')
  const [body, answer] = [bound(chat, 'body'), bound(chat, 'answer')]
  const [capabilities, streamData] = [bound(chat, 'capabilities'), bound(chat, 'streamData')]
  return {
    ...(streamUsage && { streamUsage }),
    ...(framing && { framing }),
    ...(streamEvents && { streamEvents }),
    endpoint: guard.awaited('endpoint', bound(chat, 'endpoint'), checkEndpoint),
    dialects:
      typeof dialects === 'function'
        ? guard.strict('dialects', dialects, (value) => {
            if (!Array.isArray(value) || value.length === 0)
              throw new TypeError('dialects() gave no list')
          })
        : dialects,
    ...(body && { body: guard.awaited('body', body, checkBody) }),
    ...(capabilities && {
      capabilities: guard.lenient('capabilities', capabilities, isObject, () => ({})),
    }),
    ...(answer && { answer: guard.strict('answer', answer, checkBody) }),
    ...(streamData && { streamData: guard.strict('streamData', streamData, orNothing(checkBody)) }),
  }
}

function guardOwnChat(chat: OwnChat, guard: EntryGuard): OwnChat {
  const withUsage = (events: ChatEvent[]) => withSoundUsage(events, guard)
  const readAnswer = guard.strict('readAnswer', bound(chat, 'readAnswer'), (given) =>
    checkEvents(given, 'readAnswer()'),
  )
  const streamReader = guard.strict('streamReader', bound(chat, 'streamReader'), checkReader)
  return {
    ...(chat.framing && { framing: chat.framing }),
    send: guard.awaited('send', bound(chat, 'send'), checkRequest),
    readAnswer: (...args) => withUsage(readAnswer(...args)),
    streamReader: (...args) => guardReader(streamReader(...args), guard, withUsage),
  }
}

function guardReader(
  reader: StreamParser,
  guard: EntryGuard,
  withUsage: (events: ChatEvent[]) => ChatEvent[],
): StreamParser {
  const push = guard.strict(
    'push',
    (event: Parameters<StreamParser['push']>[0]) => reader.push(event),
    (given) => checkEvents(given, 'push()'),
  )
  const end = guard.strict(
    'end',
    () => reader.end(),
    (given) => checkEvents(given, 'end()'),
  )
  const isComplete = guard.strict('isComplete', () => reader.isComplete)
  return {
    push: (event) => withUsage(push(event)),
    end: () => withUsage(end()),
    get isComplete() {
      return isComplete()
    },
  }
}

function checkReader(reader: unknown): void {
  const isReader =
    typeof reader === 'object' &&
    reader !== null &&
    ['push', 'end'].every((name) => typeof Reflect.get(reader, name) === 'function')
  if (!isReader) throw new TypeError('streamReader() gave no reader')
}

/** Without usage that is none: the gateway counts instead. */
function withSoundUsage(events: ChatEvent[], guard: EntryGuard): ChatEvent[] {
  const isSound = (event: ChatEvent) => event.type !== 'usage' || isUsage(event.usage)
  if (events.every(isSound)) return events
  guard.blame('usage', new TypeError('an event "usage" has a count that is none'))
  return events.filter(isSound)
}

function guardPlain(operation: PlainOperation, guard: EntryGuard): PlainOperation {
  const [isServed, usage] = [bound(operation, 'isServed'), bound(operation, 'usage')]
  const [body, form] = [bound(operation, 'body'), bound(operation, 'form')]
  const [answer, binaryAnswer] = [bound(operation, 'answer'), bound(operation, 'binaryAnswer')]
  const streamData = bound(operation, 'streamData')
  const isPart = (value: unknown) => value === undefined || isUsage(value, true)
  const checkedAnswer = (value: unknown) => {
    checkAnswer(value)
    const counted = (value as Partial<BinaryAnswer>).usage
    if (value instanceof Object && 'mediaType' in value && !isPart(counted))
      throw new TypeError('the answer has a usage that is none')
  }
  return {
    ...(isServed && { isServed: guard.strict('isServed', isServed) }),
    endpoint: guard.awaited('endpoint', bound(operation, 'endpoint'), checkEndpoint),
    ...(body && { body: guard.awaited('body', body, checkBody) }),
    ...(form && { form: guard.strict('form', form, checkForm) }),
    ...(answer && { answer: guard.awaited('answer', answer, checkedAnswer) }),
    ...(binaryAnswer && { binaryAnswer: guard.strict('binaryAnswer', binaryAnswer, checkBinary) }),
    ...(streamData && { streamData: guard.strict('streamData', streamData, orNothing(checkBody)) }),
    ...(usage && { usage: guard.lenient('usage', usage, isPart, nothing) }),
  }
}

function guardRealtime(operation: RealtimeOperation, guard: EntryGuard): RealtimeOperation {
  const endpoint = guard.awaited('endpoint', bound(operation, 'endpoint'), checkEndpoint)
  return { ...(operation.apis && { apis: operation.apis }), endpoint }
}
