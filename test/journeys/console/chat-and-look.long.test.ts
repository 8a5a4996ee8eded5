// A customer's morning in a real browser: the price list, a chat that is stopped and asked anew, its cost, the dashboard, a chat link.
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { addChannel, addCustomer, type App, setPrice } from '#test'
import { describeConsole } from '../../harness/console-room.ts'
import { customerPassword } from '../../harness/shop.ts'

let provider: Provider

async function openShop(app: App): Promise<void> {
  provider = await startProvider()
  await setPrice(app.root, 'gpt-4o-mini', 1)
  await addChannel(app.root, { base_url: provider.url, models: 'gpt-4o-mini' })
  const chats = [{ Notebook: 'https://chat.invalid/?key={key}' }]
  await app.root.put('/api/option/', { key: 'Chats', value: JSON.stringify(chats) })
  await addCustomer(app.root, 'ada', 5_000_000, { name: 'first' })
}

describeConsole('a customer in the console', { prepare: openShop }, (room) => {
  const seat = room.sit({ account: { username: 'ada', password: customerPassword } })
  afterAll(() => provider.close())

  it('finds the price of a model', async () => {
    await seat.page.goto('/pricing')
    await seat.page.getByPlaceholder('Find a model').fill('4omini')
    await seat.page.getByText('in $2 / 1M').waitFor()
  })

  it('chats, sees code in colours and what it cost', async () => {
    await seat.page.goto('/playground')
    await seat.page.getByLabel('Your message').fill('Write code')
    await seat.page.getByLabel('Your message').press('Enter')
    await seat.page.locator('.code-block .hljs-keyword').first().waitFor()
    await seat.page.getByText('10 → 5').waitFor()
    await seat.page.getByText('$0.00003', { exact: true }).waitFor()
  })

  it('stays where it was read while the answer goes on', async () => {
    await seat.page.setViewportSize({ width: 1280, height: 480 })
    await seat.page.getByLabel('Your message').fill('long')
    await seat.page.getByLabel('Your message').press('Enter')
    await seat.page.getByText('line 5', { exact: true }).waitFor()
    const box = seat.page.locator('.playground-scroll')
    await box.hover()
    await seat.page.mouse.wheel(0, -200)
    await seat.page.getByRole('button', { name: 'Latest' }).waitFor()
    const before = await box.evaluate((element) => element.scrollTop)
    provider.goOn()
    await seat.page.getByText('line 60', { exact: true }).waitFor({ state: 'attached' })
    const after = await box.evaluate((element) => element.scrollTop)
    // The wheel's own motion may end between the two looks.
    expect(Math.abs(after - before)).toBeLessThan(4)
    await seat.page.getByRole('button', { name: 'Latest' }).click()
    await seat.page.getByText('line 60', { exact: true }).waitFor()
  })

  it('stops an answer and keeps what has come, also after a reload', async () => {
    await seat.page.getByLabel('Your message').fill('endless')
    await seat.page.getByLabel('Your message').press('Enter')
    await seat.page.getByText('It begins').waitFor()
    await seat.page.getByRole('button', { name: 'Stop' }).click()
    await seat.page.getByText('Stopped', { exact: true }).waitFor()
    await seat.page.reload()
    await seat.page.getByText('It begins').waitFor()
  })

  it('asks for the password over a question when the session has ended, and has it answered', async () => {
    await seat.page.getByLabel('Your message').fill('Write more code')
    await seat.page.context().clearCookies()
    await seat.page.getByLabel('Your message').press('Enter')
    const again = seat.page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByLabel('Password of ada').fill(customerPassword)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await seat.page.getByText('Write more code').waitFor()
    const answer = seat.page.locator('.chat-assistant').last()
    await answer.getByText('10 → 5').waitFor()
    expect(new URL(seat.page.url()).pathname).toBe('/playground')
  })

  it('opens the chat link with the own token', async () => {
    await seat.page.goto('/chat/0')
    const frame = seat.page.locator('iframe[title=Notebook]')
    expect(await frame.getAttribute('src')).toMatch(/^https:\/\/chat\.invalid\/\?key=sk-\w+$/)
  })

  it('reads the documentation of the calls it may make', async () => {
    await seat.page.goto('/docs')
    await seat.page.getByText('relay: openai-chat').waitFor()
    const paths = await seat.page.evaluate<string[]>(
      "fetch('/docs/json').then((answer) => answer.json()).then(({ paths }) => Object.keys(paths))",
    )
    expect(paths).toContain('/api/token/')
    expect(paths).not.toContain('/api/channel/')
  })

  it('reads it on a phone', async () => {
    await seat.page.setViewportSize({ width: 360, height: 780 })
    const about = seat.page.locator('.opblock-tag small').first()
    await about.getByText('Models, in the form of OpenAI').waitFor()
    const box = await about.boundingBox()
    expect(box?.width).toBeGreaterThan(250)
    expect(box?.height).toBeLessThan(60)
  })

  it('has run into nothing on the way', () => {
    const expected = /ERR_NAME_NOT_RESOLVED|status of 401/
    expect(seat.faults.filter((fault) => !expected.test(fault))).toEqual([])
  })
})

interface Provider {
  url: string
  /** Lets the long answer go on. */
  goOn(): void
  close(): Promise<void>
}

/** Answers `long` in two parts with a pause between that the test ends, `endless` never to its end, all else with code. */
async function startProvider(): Promise<Provider> {
  let goOn = () => undefined as void
  const paused = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(parts).toString()) as {
        messages: { content: string }[]
      }
      const asked = messages.at(-1)?.content ?? ''
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const say = (content: string) => response.write(chunk({ content }))
      void answer(asked, say, paused).then((isWhole) => {
        if (!isWhole) return
        response.write(chunk({}, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }))
        response.end('data: [DONE]\n\n')
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    goOn,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function answer(
  asked: string,
  say: (text: string) => void,
  paused: Promise<void>,
): Promise<boolean> {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n\n`).join('')
  if (asked === 'long') {
    say(lines(1, 30))
    await paused
    say(lines(31, 60))
    return true
  }
  if (asked === 'endless') {
    say('It begins')
    return false
  }
  say('```ts\nconst answer: number = 42\n```\n')
  return true
}

function chunk(delta: object, usage?: object): string {
  const base = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini' }
  const choices = [{ index: 0, delta, ...(usage ? { finish_reason: 'stop' } : {}) }]
  return `data: ${JSON.stringify({ ...base, choices, ...(usage ? { usage } : {}) })}\n\n`
}
