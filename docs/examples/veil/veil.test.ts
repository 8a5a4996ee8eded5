import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conformance,
  type Customer,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  testGateway,
  type TestGateway,
  writeEvents,
} from 'tollgate/test'
import { isKind, kinds, replaceFinds } from './find.ts'
import { Marks } from './marks.ts'

const all = new Set(kinds)
const hide = (text: string) => replaceFinds(text, all, (kind) => `<${kind}>`)

test('finds what has the right form and check digits', () => {
  assert.equal(hide('Write to ada.l+x@mail.example.com!'), 'Write to <email>!')
  assert.equal(hide('Call +44 20 7946 0958 or 020 7946'), 'Call <phone> or 020 7946')
  assert.equal(hide('4111 1111 1111 1111 and 4111111111111112'), '<card> and 4111111111111112')
  assert.equal(
    hide('GB82 WEST 1234 5698 7654 32, GB83 WEST 1234 5698 7654 32'),
    '<iban>, GB83 WEST 1234 5698 7654 32',
  )
  assert.equal(hide('order 12345, 1 + 1 @ noon'), 'order 12345, 1 + 1 @ noon')
  assert.equal(isKind('name'), false)
})

test('puts a mark back together wherever a stream was cut', () => {
  const marks = new Marks(['[EMAIL_1] is no mark of ours'])
  const mark = marks.markFor('email', 'ada@example.com')
  assert.equal(mark, '[EMAIL_2]')
  assert.equal(marks.markFor('email', 'ada@example.com'), mark)
  const said = `To ${mark}: [1], [EMAIL_1].`
  for (let cut = 0; cut <= said.length; cut += 1) {
    const first = marks.restore(said.slice(0, cut), false)
    const rest = said.slice(cut - first.keep, cut) + said.slice(cut)
    assert.equal(first.text + marks.restore(rest, true).text, 'To ada@example.com: [1], [EMAIL_1].')
  }
})

let upstream: ScriptedUpstream
let gateway: TestGateway
let customer: Customer

before(async () => {
  upstream = await scriptedUpstream()
  gateway = await testGateway(import.meta.dirname)
  await gateway.addChannel({ base_url: upstream.url, models: 'a-model' })
  customer = await gateway.addCustomer('ada')
})

after(async () => {
  await gateway.close()
  await upstream.close()
})

const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'a-model',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const say = (content: string, more: object = {}) =>
  gateway.call(customer, '/v1/chat/completions', {
    model: 'a-model',
    messages: [{ role: 'user', content }],
    ...more,
  })

test('hides an address from the upstream, and shows it in the answer', async () => {
  upstream.behave((response) =>
    sendJson(response, {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'a-model',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'I wrote to [EMAIL_1].' },
          finish_reason: 'stop',
        },
      ],
      usage,
    }),
  )
  const answer = await say('Write to ada@example.com, yes, ada@example.com')
  const { choices } = (await answer.json()) as { choices: { message: { content: string } }[] }
  assert.equal(choices[0]?.message.content, 'I wrote to ada@example.com.')
  const { sent } = upstream.calls.at(-1) ?? { sent: '' }
  assert.ok(!sent.includes('ada@example.com'), sent)
  assert.ok(sent.includes('Write to [EMAIL_1], yes, [EMAIL_1]'), sent)
})

test('does so in streams that are cut inside a mark', async () => {
  upstream.behave((response) => {
    writeEvents(response, [
      chunk({ role: 'assistant', content: 'To [EM' }),
      chunk({ content: 'AIL_1' }),
      chunk({ content: '] [' }),
      chunk({ content: '1]' }, 'stop'),
      { ...chunk({}), choices: [], usage },
      'data: [DONE]\n\n',
    ])
    response.end()
  })
  const answer = await say('Write to ada@example.com', { stream: true })
  const text = (await answer.text())
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('')
  assert.equal(text, 'To ada@example.com [1]')
})

test('counts what it hid, and leaves free groups and other kinds alone', async () => {
  type Count = { kind: string; hidden: number }
  const counted = async () =>
    (await gateway.root.get<Count[]>('/api/veil')).find(({ kind }) => kind === 'email')?.hidden
  assert.equal(await counted(), 3)
  await gateway.setOptions({ VeilKinds: 'card' })
  await say('bob@example.com')
  assert.ok(upstream.calls.at(-1)?.sent.includes('bob@example.com'))
  await gateway.setOptions({ VeilKinds: 'email', VeilFreeGroups: 'default' })
  await say('eve@example.com')
  assert.ok(upstream.calls.at(-1)?.sent.includes('eve@example.com'))
  assert.equal(await counted(), 3)
})

test('lets only admins see the counts, and refuses a kind that it does not know', async () => {
  assert.equal((await customer.client.call('GET', '/api/veil')).success, false)
  const refused = await gateway.root.call('PUT', '/api/option/', {
    key: 'VeilKinds',
    value: 'email,name',
  })
  assert.match(refused.message, /"name" is none of/)
})

test('keeps the contract', () => conformance(import.meta.dirname))
