// The conversation. It outlives the screen: an answer keeps streaming while another page is open.
import { create } from 'zustand'
import { ApiError, messageOf, openStream, PROVIDER_REFUSED_KEY, textsOf } from '#console'
import { findReceipt } from './find-receipt.ts'
import { type Message, withChunk } from './message.ts'
import { bodyOf, type Settings } from './request.ts'
import { onConversationElsewhere, readConversation, writeConversation } from './stored.ts'

/** Lower ids belong to the greeting. */
const firstId = 4
/** Minimum time between two renders of a streaming message. */
const drawEveryMs = 40

interface Chat {
  userId: number | undefined
  messages: readonly Message[]
  isRunning: boolean
  /** Switches to the conversation of this user. */
  open(userId: number): void
  send(text: string, images: readonly string[], settings: Settings): Promise<void>
  /** Asks for another answer; everything after the question is dropped. */
  retry(answerId: number, settings: Settings): Promise<void>
  /** Edits a question and sends it again; everything after it is dropped. */
  edit(questionId: number, text: string, settings: Settings): Promise<void>
  stop(): void
  remove(id: number): void
  clearContext(): void
  clear(): void
}

let running: (AbortController & { answerId?: number }) | undefined

/** Ends the running answer, of which nothing more is shown. */
function abandon() {
  running?.abort()
  running = undefined
}

type Get = () => Chat
type Set = (changes: Partial<Chat>) => void

export const useChat = create<Chat>()((set, get) => {
  const { put, ask } = asking(set, get)
  return {
    userId: undefined,
    messages: [],
    isRunning: false,
    open(userId) {
      if (get().userId === userId) return
      abandon()
      set({ userId, messages: readConversation(userId), isRunning: false })
    },
    async send(text, images, settings) {
      const { messages } = get()
      const id = nextId(messages)
      const question: Message = { id, role: 'user', content: text, status: 'complete' }
      if (images.length > 0) question.images = [...images]
      await ask([...messages, question], settings)
    },
    async retry(answerId, settings) {
      const at = get().messages.findIndex(({ id }) => id === answerId)
      const before = get().messages.slice(0, Math.max(at, 0))
      if (before.at(-1)?.role === 'user') await ask(before, settings)
    },
    async edit(questionId, content, settings) {
      const at = get().messages.findIndex(({ id }) => id === questionId)
      const question = get().messages[at]
      if (question) await ask([...get().messages.slice(0, at), { ...question, content }], settings)
    },
    stop: () => running?.abort(),
    remove: (removed) => put(get().messages.filter(({ id }) => id !== removed)),
    clearContext() {
      const { messages } = get()
      if (messages.length === 0 || messages.at(-1)?.role === 'divider') return
      put([...messages, { id: nextId(messages), role: 'divider', content: '', status: 'complete' }])
    },
    clear() {
      abandon()
      set({ isRunning: false })
      put([])
    },
  }
})

/** Tabs of one person have one conversation: each goes on from what the other has written, but for the answer that it is reading itself. */
onConversationElsewhere((userId, stored) => {
  const { userId: shown, messages, isRunning } = useChat.getState()
  if (userId !== shown) return
  const answerId = running?.answerId
  if (isRunning && !stored.some(({ id }) => id === answerId)) {
    abandon()
    useChat.setState({ isRunning: false })
  }
  const own = new Map(messages.map((message) => [message.id, message]))
  useChat.setState({
    messages: stored.map((message) => merged(message, own.get(message.id), answerId)),
  })
})

/** Pictures are not stored, so those that are here stay. */
function merged(stored: Message, own: Message | undefined, answerId: number | undefined): Message {
  if (own?.role !== stored.role) return stored
  if (own.id === answerId) return own
  return own.content === stored.content && own.images ? { ...stored, images: own.images } : stored
}

/** Holds the conversation and sends questions, one at a time. */
function asking(set: Set, get: Get) {
  const put = (messages: readonly Message[]) => {
    set({ messages })
    const { userId } = get()
    if (userId !== undefined) writeConversation(userId, messages)
  }
  const replace = (message: Message) =>
    get().messages.map((old) => (old.id === message.id ? message : old))

  const ask = async (messages: readonly Message[], settings: Settings) => {
    if (get().isRunning) return
    const answer = empty(Math.max(...messages.map(({ id }) => id)) + 1, settings.model)
    const controller = Object.assign(new AbortController(), { answerId: answer.id })
    running = controller
    set({ isRunning: true })
    put([...messages, answer])
    const message = await read(
      { path: '/pg/chat/completions', body: bodyOf(settings, messages), controller, answer },
      (drawn) => running === controller && set({ messages: replace(drawn) }),
    )
    if (running !== controller) return
    running = undefined
    set({ isRunning: false })
    put(replace(message))
    const { requestId } = message
    if (requestId === undefined) return
    const receipt = await findReceipt(requestId, settings.group)
    // By now the conversation may be another one, or the answer may have been asked for again.
    const current = get().messages.find((other) => other.requestId === requestId)
    if (receipt && current) put(replace({ ...current, receipt }))
  }
  return { put, ask }
}

function nextId(messages: readonly Message[]): number {
  return Math.max(firstId - 1, ...messages.map(({ id }) => id)) + 1
}

function empty(id: number, model: string): Message {
  return { id, role: 'assistant', content: '', status: 'loading', model }
}

interface Call {
  path: string
  body: unknown
  controller: AbortController
  answer: Message
}

/** Reads the answer to its end, be it an error. Calls `draw` with the message so far, a few times a second. */
async function read(
  { path, body, controller, answer }: Call,
  draw: (message: Message) => void,
): Promise<Message> {
  const startMs = performance.now()
  const elapsed = () => Math.round(performance.now() - startMs)
  let message = answer
  let timer: number | undefined
  const drawSoon = () => {
    timer ??= window.setTimeout(() => {
      timer = undefined
      draw(message)
    }, drawEveryMs)
  }
  try {
    const stream = await openStream(path, body, controller.signal)
    if (stream.requestId !== undefined) message = { ...message, requestId: stream.requestId }
    for await (const data of stream.events) {
      if (data.trim() === '[DONE]') break
      message = withChunk(message, data)
      message.firstMs ??= elapsed()
      drawSoon()
    }
    message = { ...message, status: 'complete' }
  } catch (error) {
    message = failed(message, error, controller.signal.aborted)
  }
  window.clearTimeout(timer)
  return { ...message, totalMs: elapsed() }
}

function failed(message: Message, error: unknown, isStopped: boolean): Message {
  if (isStopped) return { ...message, status: 'complete', isStopped: true }
  return { ...message, status: 'error', error: reasonOf(error) }
}

function reasonOf(error: unknown): string {
  const t = textsOf('playground')
  if (!(error instanceof ApiError)) return error instanceof TypeError ? t('cut') : messageOf(error)
  if (error.code === PROVIDER_REFUSED_KEY) return t('keyRefused', { message: error.message })
  return error.message
}
