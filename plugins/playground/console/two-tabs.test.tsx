import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '#console'
import { useChat } from './chat-store.ts'
import type { Message } from './message.ts'
import type { Settings } from './request.ts'

const settings: Settings = {
  group: 'default',
  model: 'm',
  temperature: 1,
  max_tokens: 0,
  system: '',
}
const key = 'playground:7'
const message = (id: number, role: Message['role'], content: string): Message => ({
  id,
  role,
  content,
  status: 'complete',
})

/** What the other tab does, as this one hears of it. */
function writeElsewhere(messages: readonly Message[]): void {
  localStorage.setItem(key, JSON.stringify(messages))
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

const stored = () => JSON.parse(localStorage.getItem(key) ?? '[]') as Message[]
const shown = () => useChat.getState().messages.map(({ content }) => content)

let finish: (text: string) => void

beforeEach(() => {
  localStorage.clear()
  useSession.setState({ user: { id: 7, username: 'ada', role: 1, group: 'default' } })
  useChat.setState({ userId: undefined, messages: [], isRunning: false })
  useChat.getState().open(7)
  vi.stubGlobal('fetch', async (_address: string, { signal }: RequestInit) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    signal?.addEventListener('abort', () => void writer.abort(signal.reason))
    finish = (content) => {
      const chunk = JSON.stringify({ choices: [{ delta: { content } }] })
      const bytes = new TextEncoder().encode(`data: ${chunk}\n\ndata: [DONE]\n\n`)
      void writer.write(bytes).then(() => writer.close())
    }
    return new Response(readable, { headers: { 'content-type': 'text/event-stream' } })
  })
  return () => vi.unstubAllGlobals()
})

describe('a conversation in two tabs', () => {
  it('goes on from what the other has written', () => {
    writeElsewhere([message(4, 'user', 'One'), message(5, 'assistant', 'Two')])
    expect(shown()).toEqual(['One', 'Two'])
  })

  it('loses nothing when both ask', async () => {
    const asked = useChat.getState().send('Mine', [], settings)
    await vi.waitFor(() => expect(stored()).toHaveLength(2))
    writeElsewhere([...stored(), message(6, 'user', 'Other'), message(7, 'assistant', 'Yes')])
    finish('Answered')
    await asked
    expect(shown()).toEqual(['Mine', 'Answered', 'Other', 'Yes'])
    expect(stored().map(({ content }) => content)).toEqual(shown())
  })

  it('ends the answer to a question that the other has removed', async () => {
    const asked = useChat.getState().send('Mine', [], settings)
    await vi.waitFor(() => expect(stored()).toHaveLength(2))
    writeElsewhere([])
    await asked
    expect(useChat.getState().isRunning).toBe(false)
    expect(shown()).toEqual([])
  })

  it('keeps the pictures that only this one has', () => {
    const images = ['data:image/png;base64,AA==']
    const own = message(4, 'user', 'Look')
    useChat.setState({ messages: [{ ...own, images }] })
    writeElsewhere([own, message(5, 'assistant', 'Nice')])
    expect(useChat.getState().messages[0]?.images).toEqual(images)
  })
})
