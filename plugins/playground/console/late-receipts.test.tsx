import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useSession } from '#console'
import { useChat } from './chat-store.ts'

const settings = { group: 'default', model: 'm', temperature: 1, max_tokens: 0, system: '' }

/** A server whose answers are numbered, and whose usage log answers when the test says so. */
function serve() {
  let calls = 0
  const waiting: (() => void)[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    if (address === '/pg/chat/completions') {
      const number = ++calls
      const delta = { content: `Answer ${number}` }
      return new Response(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`, {
        headers: { 'content-type': 'text/event-stream', 'x-oneapi-request-id': `r${number}` },
      })
    }
    const rows = Array.from({ length: calls }, (_, at) => ({
      request_id: `r${at + 1}`,
      quota: (at + 1) * 100,
      prompt_tokens: 1,
      completion_tokens: 1,
    }))
    await new Promise<void>((resolve) => waiting.push(resolve))
    return Response.json({ success: true, message: '', data: { items: rows } })
  })
  return waiting
}

const shown = () =>
  useChat.getState().messages.map(({ content, receipt }) => [content, receipt?.quota])

/** Does something that asks, until the receipt of its answer is being looked for. */
async function untilAnswered(waiting: readonly unknown[], step: Promise<void>) {
  const before = waiting.length
  await vi.waitFor(() => expect(waiting.length).toBe(before + 1))
  return { isDone: step }
}

beforeEach(() => {
  localStorage.clear()
  useSession.setState({ user: { id: 7, username: 'ada', role: 1, group: 'default' } })
  useChat.setState({ userId: undefined, messages: [], isRunning: false })
  useChat.getState().open(7)
})
afterEach(() => vi.unstubAllGlobals())

it('keeps a receipt that comes late out of the conversation that was begun meanwhile', async () => {
  const waiting = serve()
  const { send, clear } = useChat.getState()
  const first = await untilAnswered(waiting, send('First', [], settings))
  clear()
  const second = await untilAnswered(waiting, send('Second', [], settings))
  waiting[0]?.()
  await first.isDone
  expect(shown()).toEqual([
    ['Second', undefined],
    ['Answer 2', undefined],
  ])
  waiting[1]?.()
  await second.isDone
  expect(shown().at(-1)).toEqual(['Answer 2', 200])
  expect(localStorage.getItem('playground:7')).not.toContain('Answer 1')
})

it('does not put an answer back that was asked for again', async () => {
  const waiting = serve()
  const { send, retry } = useChat.getState()
  const first = await untilAnswered(waiting, send('First', [], settings))
  const answer = useChat.getState().messages.at(-1)?.id ?? 0
  const again = await untilAnswered(waiting, retry(answer, settings))
  waiting[1]?.()
  waiting[0]?.()
  await Promise.all([first.isDone, again.isDone])
  expect(shown().at(-1)).toEqual(['Answer 2', 200])
})

it('writes the receipt of one person into no conversation of another', async () => {
  const waiting = serve()
  const { send, open } = useChat.getState()
  const first = await untilAnswered(waiting, send('First', [], settings))
  open(8)
  const second = await untilAnswered(waiting, send('Second', [], settings))
  waiting[1]?.()
  await second.isDone
  waiting[0]?.()
  await first.isDone
  expect(shown().at(-1)).toEqual(['Answer 2', 200])
  expect(localStorage.getItem('playground:8')).not.toContain('Answer 1')
})
