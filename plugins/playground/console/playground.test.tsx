import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '#console'
import { blocksOf } from './blocks.ts'
import { useChat } from './chat-store.ts'
import { type Message, splitThinking, StreamError, withChunk } from './message.ts'
import PlaygroundScreen from './playground-screen.tsx'
import { bodyOf } from './request.ts'
import { bounded, mostMessages } from './stored.ts'

const person = { id: 7, username: 'ada', role: 1, group: 'default' }

interface Sent {
  path: string
  headers: Record<string, string>
  body: { messages: { role: string; content: unknown }[]; [field: string]: unknown }
}

/** A server whose chat answers with these events, one after the other. */
function serve(answer: () => Response, quota = 500_000): Sent[] {
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const { pathname } = new URL(address, 'http://console.test')
    if (pathname === '/pg/chat/completions') {
      const headers = init.headers as Record<string, string>
      sent.push({ path: pathname, headers, body: JSON.parse(init.body as string) as Sent['body'] })
      return answer()
    }
    const data: Record<string, unknown> = {
      '/api/user/self/groups': { default: { ratio: 1, desc: 'Default' } },
      '/api/user/models': ['gpt-4o-mini', 'o3'],
      '/api/user/self': { id: 7, quota },
      '/api/mark/': { makers: [], marks: {}, providers: {} },
      '/api/log/self/': {
        items: [{ request_id: 'r1', quota: 500, prompt_tokens: 1200, completion_tokens: 3 }],
        total: 1,
      },
    }
    return Response.json({ success: true, message: '', data: data[pathname] ?? [] })
  })
  return sent
}

const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`

function events(...texts: string[]): Response {
  return new Response(texts.join(''), {
    headers: { 'content-type': 'text/event-stream', 'x-oneapi-request-id': 'r1' },
  })
}

async function show(address = '/playground') {
  const router = createMemoryRouter([{ path: '*', element: <PlaygroundScreen /> }], {
    initialEntries: [address],
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByText('gpt-4o-mini', { selector: '.playground-model' })
}

const png = { type: 'image/png' }

/** The browser asks when the event is cancelled. */
function asksBeforeReload(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

async function ask(text: string) {
  fireEvent.change(screen.getByLabelText('Your message'), { target: { value: text } })
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(false),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
}

const question = () => screen.getByLabelText<HTMLTextAreaElement>('Your message')

beforeEach(() => {
  sessionStorage.clear()
  useSession.setState({ user: person })
  useChat.setState({ userId: undefined, messages: [], isRunning: false })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the playground', () => {
  it('keeps the settings behind a button where they leave no room for the conversation', async () => {
    serve(() => events())
    const media = { addEventListener: () => {}, removeEventListener: () => {} }
    vi.stubGlobal('matchMedia', (query: string) => ({
      ...media,
      matches: Number(/\d+/.exec(query)?.[0]) >= 720,
    }))
    await show()
    expect(screen.queryByLabelText('System prompt')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Model and parameters' }))
    expect(await screen.findByLabelText('System prompt')).toBeTruthy()
  })

  it('says before the first question that the balance is empty', async () => {
    serve(() => events(), 0)
    await show()
    expect(await screen.findByText(/^Your balance is \$0\. /)).toBeTruthy()
  })

  it('sends what the contract says and shows the answer, its time and its cost', async () => {
    const sent = serve(() =>
      events(chunk({ reasoning_content: 'hm' }), chunk({ content: '**Hi**' }), 'data: [DONE]\n\n'),
    )
    await show()
    expect(screen.getByText('Hello, what can I do for you?')).toBeTruthy()
    await ask('Hello there')
    expect((await screen.findByText('Hi')).tagName).toBe('STRONG')
    expect(screen.getByText('Reasoning').closest('details')?.open).toBe(false)
    expect(await screen.findByText('$0.001')).toBeTruthy()
    expect(screen.getByText('1,200 → 3')).toBeTruthy()
    expect(sent[0]?.headers['New-API-User']).toBe('7')
    expect(sent[0]?.body).toEqual({
      messages: [
        { role: 'system', content: expect.stringContaining('helpful assistant') },
        { role: 'user', content: 'Hello there' },
      ],
      stream: true,
      model: 'gpt-4o-mini',
      group: 'default',
      max_tokens: 0,
      temperature: 1,
    })
  })

  it('keeps what was typed for the person until it is sent, and shows it to no other', async () => {
    serve(() => events(chunk({ content: 'Hi' }), 'data: [DONE]\n\n'))
    await show()
    fireEvent.change(question(), { target: { value: 'Half a sen' } })
    cleanup()
    useSession.setState({ user: { ...person, id: 8 } })
    await show()
    expect(question().value).toBe('')
    cleanup()
    useSession.setState({ user: person })
    await show()
    expect(question().value).toBe('Half a sen')
    await ask('Half a sentence')
    cleanup()
    await show()
    expect(question().value).toBe('')
  })

  it('keeps the pictures of a question until it is sent, tells when there are too many, and asks before a reload', async () => {
    serve(() => events(chunk({ content: 'Hi' }), 'data: [DONE]\n\n'))
    await show()
    const files = ['a', 'b', 'c', 'd', 'e'].map((name) => new File([name], `${name}.png`, png))
    fireEvent.paste(question(), { clipboardData: { files } })
    await screen.findByText(/at most 4 pictures/)
    expect(screen.getAllByAltText(/^Picture \d$/)).toHaveLength(4)
    cleanup()
    useSession.setState({ user: { ...person, id: 8 } })
    await show()
    expect(screen.queryByAltText('Picture 1')).toBeNull()
    cleanup()
    useSession.setState({ user: person })
    await show()
    expect(screen.getAllByAltText(/^Picture \d$/)).toHaveLength(4)
    expect(asksBeforeReload()).toBe(true)
    await ask('What is this?')
    expect(screen.queryByAltText('Picture 1')).toBeNull()
    expect(asksBeforeReload()).toBe(false)
  })

  it('keeps the conversation for the person and shows it to no other', async () => {
    serve(() => events(chunk({ content: 'Kept answer' }), 'data: [DONE]\n\n'))
    await show()
    await ask('Remember')
    await screen.findByText('Kept answer')
    await waitFor(() => expect(useChat.getState().isRunning).toBe(false))
    useChat.getState().open(8)
    expect(useChat.getState().messages).toEqual([])
    useChat.getState().open(7)
    expect(useChat.getState().messages.map(({ content }) => content)).toEqual([
      'Remember',
      'Kept answer',
    ])
  })

  it('says why a call was refused, and asks again on demand', async () => {
    const answers = [
      Response.json({ error: { message: 'This model is not served.' } }, { status: 404 }),
      events(chunk({ content: 'Now it is' }), 'data: [DONE]\n\n'),
    ]
    serve(() => answers.shift() as Response)
    await show()
    await ask('Anyone?')
    expect(await screen.findByText('This model is not served.')).toBeTruthy()
    const retry = await screen.findByRole('button', { name: 'Answer again' })
    fireEvent.click(retry)
    expect(await screen.findByText('Now it is')).toBeTruthy()
    expect(screen.queryByText('This model is not served.')).toBeNull()
  })

  it("says that a refused key is the gateway's, not the person's", async () => {
    const error = { message: 'Incorrect API key provided.', code: 'invalid_api_key' }
    serve(() => Response.json({ error }, { status: 401 }))
    await show()
    await ask('Hello')
    const alert = await screen.findByText(/Incorrect API key provided/)
    expect(alert.textContent).toContain('Nothing is wrong with your account')
  })

  it('says that the connection broke off where the last event is a piece of one', async () => {
    serve(() => events(chunk({ content: 'Half an' }), 'data: {"choices":[{"delta":{"con'))
    await show()
    await ask('Hello')
    expect(await screen.findByText('Half an')).toBeTruthy()
    expect(await screen.findByText(/connection broke off/)).toBeTruthy()
    expect(screen.queryByText(/"choices"/)).toBeNull()
  })

  it('keeps what has come when an error follows inside the stream', async () => {
    serve(() => events(chunk({ content: 'Half an' }), 'data: {"error":{"message":"Broken"}}\n\n'))
    await show()
    await ask('Go')
    expect(await screen.findByText('Broken')).toBeTruthy()
    expect(screen.getByText('Half an')).toBeTruthy()
  })

  it('asks anew with a changed question and drops what followed', async () => {
    const sent = serve(() => events(chunk({ content: 'Answer' }), 'data: [DONE]\n\n'))
    await show()
    await ask('First')
    await screen.findByText('Answer')
    await waitFor(() => expect(useChat.getState().isRunning).toBe(false))
    fireEvent.click(screen.getByRole('button', { name: 'Edit and ask again' }))
    const field = screen.getByLabelText('Change your message')
    fireEvent.change(field, { target: { value: 'Second' } })
    fireEvent.click(screen.getByRole('button', { name: 'Ask again' }))
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent[1]?.body.messages.slice(1)).toEqual([{ role: 'user', content: 'Second' }])
  })

  it('leaves a changed question as it was at Escape, and gives the focus back', async () => {
    const sent = serve(() => events(chunk({ content: 'Answer' }), 'data: [DONE]\n\n'))
    await show()
    await ask('First')
    await screen.findByText('Answer')
    fireEvent.click(await screen.findByRole('button', { name: 'Edit and ask again' }))
    const field = screen.getByLabelText('Change your message')
    fireEvent.change(field, { target: { value: 'Second' } })
    fireEvent.keyDown(field, { key: 'Escape', isComposing: true })
    expect(screen.getByLabelText('Change your message')).toBe(field)
    fireEvent.keyDown(field, { key: 'Escape' })
    expect(screen.queryByLabelText('Change your message')).toBeNull()
    expect(screen.getByText('First')).toBeTruthy()
    const edit = screen.getByRole('button', { name: 'Edit and ask again' })
    await waitFor(() => expect(document.activeElement).toBe(edit))
    fireEvent.click(edit)
    const again = screen.getByLabelText<HTMLTextAreaElement>('Change your message')
    expect(again.value).toBe('First')
    expect(again.selectionStart).toBe('First'.length)
    expect(sent).toHaveLength(1)
    fireEvent.keyDown(again, { key: 'Enter' })
    await waitFor(() => expect(sent).toHaveLength(2))
  })

  // Chromium and Firefox say that a word is being composed; Safari sends the key after that, with the code 229.
  it.each([{ isComposing: true }, { keyCode: 229 }])(
    'does not send at the Enter that confirms a word of an input method (%j)',
    async (composing) => {
      const sent = serve(() => events(chunk({ content: 'Answer' }), 'data: [DONE]\n\n'))
      await show()
      fireEvent.change(question(), { target: { value: '你好' } })
      await waitFor(() =>
        expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(
          false,
        ),
      )
      fireEvent.keyDown(question(), { key: 'Enter', ...composing })
      expect(question().value).toBe('你好')
      fireEvent.keyDown(question(), { key: 'Enter' })
      await waitFor(() => expect(sent).toHaveLength(1))
    },
  )

  it('opens a picture that came as data under an address that a tab takes', async () => {
    serve(() => events(chunk({ images: [{ image_url: { url: 'data:image/png;base64,QUJD' } }] })))
    const blobs: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      blobs.push(blob as Blob)
      return 'blob:console/1'
    })
    const open = vi.spyOn(window, 'open').mockReturnValue(null)
    await show()
    await ask('Draw')
    fireEvent.click(await screen.findByRole('button', { name: 'Picture of the answer' }))
    expect(open).toHaveBeenCalledWith('blob:console/1', '_blank', 'noopener,noreferrer')
    expect(blobs[0]?.type).toBe('image/png')
    expect(blobs[0]?.size).toBe(3)
  })

  it.each([
    ['![Cat](http://a.example/c.png)', 'Cat: A picture from a.example is not shown', true],
    ['![](http://a.example/c.png)', 'A picture from a.example is not shown', true],
    ['![Cat](cat.png)', 'Cat: A picture without an address', false],
    ['![Cat](https://)', 'Cat: A picture without an address', false],
    ['![](javascript:alert)', 'A picture without an address', false],
  ])('says in the place of a picture why it is not shown: %s', async (content, words, hasLink) => {
    serve(() => events(chunk({ content }), 'data: [DONE]\n\n'))
    await show()
    await ask('Draw')
    expect((await screen.findByText(new RegExp(words))).textContent).toContain(words)
    const link = screen.queryByRole('link', { name: 'Open it in a new tab' })
    expect(link?.getAttribute('href')).toBe(hasLink ? 'http://a.example/c.png' : undefined)
    expect(document.querySelector('.answer-text img')).toBeNull()
  })

  it('says that a picture from elsewhere could not be loaded', async () => {
    serve(() => events(chunk({ content: '![](https://a.example/c.png)' }), 'data: [DONE]\n\n'))
    await show()
    await ask('Draw')
    fireEvent.click(await screen.findByRole('button', { name: /a\.example/ }))
    fireEvent.error(await screen.findByRole('img', { name: 'Picture of the answer' }))
    expect(await screen.findByText(/from a\.example could not be loaded/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open it in a new tab' })).toBeTruthy()
  })

  it('says that the session has expired when the address does', async () => {
    serve(() => events())
    await show('/playground?expired=true')
    expect(within(screen.getByRole('alert')).getByText(/session has expired/)).toBeTruthy()
  })
})

const answer: Message = { id: 5, role: 'assistant', content: '', status: 'loading' }
const put = (message: Message, delta: object) =>
  withChunk(message, JSON.stringify({ choices: [{ delta }] }))

describe('the pieces of an answer', () => {
  it('puts the parts of a tool call together by their index', () => {
    const first = put(answer, {
      tool_calls: [{ index: 0, function: { name: 'find', arguments: '{"q":' } }],
    })
    const next = put(first, { tool_calls: [{ index: 0, function: { arguments: '"x"}' } }] })
    expect(next.toolCalls).toEqual([{ name: 'find', arguments: '{"q":"x"}' }])
  })

  it('takes pictures from web addresses and data only', () => {
    const urls = [
      'data:image/png;base64,AA',
      'https://a.example/b.png',
      'http://a.example/c.png',
      'javascript:alert(1)',
      'https://',
      'data:image/svg+xml;base64,AA',
    ]
    const images = urls.map((url) => ({ image_url: { url } }))
    expect(put(answer, { images }).images).toEqual(urls.slice(0, 3))
  })

  it('refuses what is no JSON', () => {
    expect(() => withChunk(answer, 'upstream said no')).toThrow(StreamError)
  })

  it.each([
    ['<think>a</think>b', { reasoning: 'a', answer: 'b' }],
    ['<think>still', { reasoning: 'still', answer: '' }],
    ['use <think> in text', { reasoning: '', answer: 'use <think> in text' }],
  ])('finds reasoning in %j', (content, parts) => {
    expect(splitThinking({ content })).toEqual(parts)
  })
})

describe('what is sent and kept', () => {
  const settings = { group: 'g', model: 'm', temperature: 0.5, max_tokens: 9.7, system: ' ' }
  const said = (id: number, role: Message['role'], content: string): Message => ({
    id,
    role,
    content,
    status: 'complete',
  })

  it('sends nothing from above the last divider, and pictures as parts', () => {
    const messages = [
      said(4, 'user', 'old'),
      said(5, 'divider', ''),
      { ...said(6, 'user', 'new'), images: ['data:image/png;base64,AA'] },
    ]
    expect(bodyOf(settings, messages)).toMatchObject({
      max_tokens: 9,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'new' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          ],
        },
      ],
    })
  })

  it('keeps the newest messages that fit, without pictures', () => {
    const many = Array.from({ length: mostMessages + 5 }, (_, at) => said(at, 'user', 'x'))
    expect(bounded(many)).toHaveLength(mostMessages)
    const large = [said(1, 'user', 'x'.repeat(300_000)), said(2, 'user', 'y'.repeat(300_000))]
    expect(bounded(large).map(({ id }) => id)).toEqual([2])
    const pictured = { ...said(1, 'user', 'x'), images: ['data:image/png;base64,AA'] }
    expect(bounded([pictured])[0]?.images).toBeUndefined()
  })

  it.each([
    ['one\n\ntwo', ['one\n', 'two']],
    ['```\na\n\nb\n```\n\nend', ['```\na\n\nb\n```\n', 'end']],
    ['1. a\n\n2. b', ['1. a\n\n2. b']],
    ['a\n\n  indented', ['a\n\n  indented']],
  ])('cuts %j into blocks', (text, blocks) => {
    expect(blocksOf(text)).toEqual(blocks)
  })
})
