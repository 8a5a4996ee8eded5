// The drawing log and the task log in Chromium and in both languages: the rows are made by calls to a provider that does the work step by step.
import { expect, it } from 'vitest'
import { addChannel, addCustomer, type App, type Customer } from '#test'
import { type Desk, describeInLanguages } from '../../harness/console-room.ts'
import {
  type ScriptedUpstream,
  scriptedUpstream,
  sendJson,
} from '../../harness/scripted-upstream.ts'

/** One grey point. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const drawings = 11

/** Does what it is told of each task when it is next asked. */
class Provider {
  readonly answers = new Map<string, object>()
  #upstream: ScriptedUpstream | undefined
  /** Of the last task: all ids have as many digits. */
  #count = 100

  async open(): Promise<string> {
    this.#upstream = await scriptedUpstream()
    const { url } = this.#upstream
    this.#upstream.behave((response, { path, body }) => {
      if (path.startsWith('/picture')) {
        response.writeHead(200, { 'content-type': 'image/png' })
        return void response.end(picture)
      }
      const ids = (body['ids'] as string[] | undefined) ?? []
      const known = ids.flatMap((id) => this.answers.get(id) ?? [])
      if (path === '/suno/fetch') return sendJson(response, { code: 'success', data: known })
      if (path === '/mj/task/list-by-condition') return sendJson(response, known)
      const result = `task-${(this.#count += 1)}`
      sendJson(
        response,
        path.startsWith('/suno')
          ? { code: 'success', message: '', data: result }
          : { code: 1, description: 'Submit success', result },
      )
    })
    return url
  }

  async close(): Promise<void> {
    await this.#upstream?.close()
  }
}

const provider = new Provider()
let ada: Customer
let providerUrl = ''

const ids: Record<string, string> = {}
const shop = {
  env: { TASK_POLL_SECONDS: '1' },
  prepare: openShop,
  finish: () => provider.close(),
}

describeInLanguages('the logs of long work', shop, (desk) => {
  drawingStory(desk)
  taskStory(desk)
})

async function openShop(app: App): Promise<void> {
  providerUrl = await provider.open()
  const base = { base_url: providerUrl, key: 'upstream-secret' }
  await addChannel(app.root, { ...base, type: 36, models: 'suno_music' })
  await addChannel(app.root, { ...base, type: 5, models: 'mj_imagine' })
  await app.root.put('/api/option/', { key: 'ServerAddress', value: app.url })
  ada = await addCustomer(app.root, 'ada', 100_000_000)
  for (let at = 0; at < drawings; at++)
    ids[`drawing ${at}`] = await submit(app, '/mj/submit/imagine', `a fox, number ${at}`)
  ids['song'] = await submit(app, '/suno/submit/music', 'la la')
  ids['lost song'] = await submit(app, '/suno/submit/music', 'forbidden words')
}

async function submit(app: App, path: string, prompt: string): Promise<string> {
  const answer = await fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt }),
  })
  const { result, data } = (await answer.json()) as { result?: string; data?: string }
  return result ?? data ?? ''
}

function drawingStory({ room, language, own, textsOf, sitAs }: Desk): void {
  const t = textsOf('drawing')
  const seat = sitAs('ada')
  const row = (id: string) => seat.page.getByRole('row').filter({ hasText: id })
  const refresh = () => seat.page.getByRole('button', { name: t('refresh') }).click()

  it('pages through the drawings of a customer', async () => {
    const { page } = seat
    await page.goto('/midjourney')
    await expect.poll(() => page.getByRole('row').count()).toBe(11)
    await page.getByRole('button', { name: own('pager.next') }).click()
    await row(ids['drawing 0'] ?? '').waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
  })

  it('shows how far a drawing is, then its picture', async () => {
    const { page } = seat
    const id = ids[`drawing ${language === 'en' ? 10 : 9}`] ?? ''
    const start = { id, action: 'IMAGINE', prompt: 'a fox', submitTime: Date.now() }
    provider.answers.set(id, { ...start, status: 'IN_PROGRESS', progress: '40%' })
    await page.goto('/midjourney')
    await expect
      .poll(
        async () => {
          await refresh()
          return row(id).getByRole('progressbar').getAttribute('aria-valuenow')
        },
        { timeout: 15_000 },
      )
      .toBe('40')
    const done = { status: 'SUCCESS', progress: '100%', finishTime: Date.now() }
    provider.answers.set(id, { ...start, ...done, imageUrl: `${providerUrl}/picture.png` })
    const thumbnail = row(id).getByRole('button', { name: t('showPicture', { id }) })
    await expect
      .poll(
        async () => {
          await refresh()
          return thumbnail.count()
        },
        { timeout: 15_000 },
      )
      .toBe(1)
    await thumbnail.click()
    const dialog = page.getByRole('dialog', { name: t('picture', { id }) })
    await dialog.getByRole('img').waitFor()
    const width = "document.querySelector('[role=dialog] img').naturalWidth"
    await expect.poll(() => page.evaluate<number>(width)).toBe(1)
    const address = await dialog.getByRole('link', { name: t('openPicture') }).getAttribute('href')
    // The provider's own address is not told.
    expect(address).toContain(room.app.url)
    await page.keyboard.press('Escape')
    expect(seat.faults).toEqual([])
  })
}

function taskStory({ textsOf, sitAsAdmin }: Desk): void {
  const t = textsOf('tasks')
  const seat = sitAsAdmin()
  const row = (id: string) => seat.page.getByRole('row').filter({ hasText: id })

  it('tells an admin what became of a task, and shows the whole record', async () => {
    const [song, lost] = [ids['song'] ?? '', ids['lost song'] ?? '']
    provider.answers.set(song, { task_id: song, status: 'SUCCESS', data: [{ title: 'La la' }] })
    provider.answers.set(lost, { task_id: lost, status: 'FAILURE', fail_reason: 'moderation' })
    const { page } = seat
    await page.goto('/task')
    await row(song).waitFor()
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: t('refresh') }).click()
          return row(song).getByText(t('status.SUCCESS')).count()
        },
        { timeout: 15_000 },
      )
      .toBe(1)
    await row(lost).getByText(t('status.FAILURE')).waitFor()
    await row(lost).getByText('moderation').waitFor()
    expect(await row(song).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100')
    await row(song).getByRole('button', { name: song }).click()
    const dialog = page.getByRole('dialog', { name: t('record', { id: song }) })
    const record = JSON.parse(await dialog.getByRole('region').innerText()) as { data: object[] }
    expect(record).toMatchObject({ task_id: song, status: 'SUCCESS', data: [{ title: 'La la' }] })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  it('finds the failed ones by their status', async () => {
    const { page } = seat
    await page.goto(`/task?status=FAILURE`)
    await row(ids['lost song'] ?? '').waitFor()
    expect(await row(ids['song'] ?? '').count()).toBe(0)
    expect(seat.faults).toEqual([])
  })
}
