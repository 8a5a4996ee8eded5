import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPluginApp, type InjectClient, type PluginApp } from '#test'
import { quietLog } from '../../../test/harness/databases.ts'
import { defineOptions, definePlugin, errorType, type OptionAction, Type } from '../../index.ts'
import { type ActionAnswer, OptionActions } from '../../kernel/options/option-actions.ts'

const refused = errorType('trial.refused', 400, { en: 'The site says no.', zh: '站点拒绝。' })
const hush = { secret: true, boundTo: ['TrialHost'] }

let run: OptionAction['run']

const plugin = definePlugin({
  id: 'trial-sample',
  options: defineOptions(
    {
      TrialHost: Type.String({ default: '' }),
      TrialSecret: Type.String({ default: '', 'x-ui': hush }),
      TrialCount: Type.Integer({ default: 1, minimum: 1, maximum: 9 }),
      TrialOther: Type.String({ default: 'untouched' }),
    },
    { check: (_key, value) => (value === 'wrong' ? { en: 'Wrong.', zh: '错误。' } : undefined) },
  ),
  server: ({ optionActions }) =>
    optionActions.add({
      id: 'trial',
      label: { en: 'Test it', zh: '测试' },
      hint: { en: 'Asks the site.', zh: '询问站点。' },
      options: ['TrialHost', 'TrialSecret', 'TrialCount'],
      input: { label: { en: 'To', zh: '收件人' } },
      run: (values, context) => run(values, context),
    }),
})

const greet: OptionAction['run'] = (values, { input, language, userId }) => ({
  ok: true,
  message: { en: `Hello ${input}`, zh: `你好 ${input}` },
  details: [
    ...['TrialHost', 'TrialSecret', 'TrialCount', 'TrialOther'].map((key) => ({
      label: { en: key, zh: key },
      value: String(key === 'TrialSecret' ? values.get<string>(key).length : values.get(key)),
    })),
    { label: { en: 'who', zh: '谁' }, value: `${userId > 0} ${language}` },
  ],
})

describe('an action of options', () => {
  let app: PluginApp
  let admin: InjectClient

  beforeAll(async () => {
    app = await createPluginApp({ plugins: [plugin] })
    const { id } = await app.accounts.create({ username: 'boss', role: 10, by: 'admin' })
    admin = await app.signedIn(id)
    await app.options.setMany({ TrialHost: 'a.example.com', TrialSecret: 'stored-secret' })
  })
  afterAll(() => app.close())
  beforeEach(() => {
    run = greet
  })

  const press = (values: Record<string, string> = {}, more: object = {}) =>
    admin.call<ActionAnswer>('POST', '/api/option/action', { id: 'trial', values, ...more })
  const facts = ({ details }: ActionAnswer) => details.map(({ value }) => value)

  it('is listed with its owner, words and options, for those who may read options', async () => {
    const { data } = await admin.call<{ id: string }[]>('GET', '/api/option/actions')
    expect(data).toEqual([
      {
        id: 'trial',
        owner: 'trial-sample',
        label: { en: 'Test it', zh: '测试' },
        hint: { en: 'Asks the site.', zh: '询问站点。' },
        input: { label: { en: 'To', zh: '收件人' } },
        options: ['TrialHost', 'TrialSecret', 'TrialCount'],
      },
    ])
    const { id } = await app.accounts.create({ username: 'user', by: 'admin' })
    const user = await app.signedIn(id)
    for (const answer of [
      await user.call('GET', '/api/option/actions'),
      await user.call('POST', '/api/option/action', { id: 'trial' }),
    ])
      expect(answer).toMatchObject({ code: 'access.role_too_low' })
    expect(await app.client().call('POST', '/api/option/action', { id: 'trial' })).toMatchObject({
      status: 401,
    })
    expect(await admin.call('POST', '/api/option/action', { id: 'nothing' })).toMatchObject({
      code: 'options.unknown_action',
    })
  })

  it('gets what is typed and keeps nothing of it; what is not typed is as stored', async () => {
    const { data } = await press({ TrialCount: '7', TrialOther: 'not its own' }, { input: ' Ada ' })
    expect(data).toMatchObject({ ok: true, message: 'Hello Ada' })
    expect(facts(data)).toEqual(['a.example.com', '13', '7', 'untouched', 'true en'])
    expect(app.options.get('TrialCount')).toBe(1)
  })

  it('checks what is typed as a saving does', async () => {
    expect(await press({ TrialCount: 'many' })).toMatchObject({ code: 'options.invalid_value' })
    expect(await press({ TrialHost: 'wrong' })).toMatchObject({ code: 'options.invalid_value' })
  })

  it('sends no stored secret to a host that it was not saved for', async () => {
    expect(await press({ TrialHost: 'evil.example.com' })).toMatchObject({
      code: 'options.secret_needed',
    })
    const typed = await press({ TrialHost: 'b.example.com', TrialSecret: 'of b' })
    expect(facts(typed.data).slice(0, 2)).toEqual(['b.example.com', '4'])
    const cleared = await press({ TrialHost: 'b.example.com', TrialSecret: '' })
    expect(facts(cleared.data).slice(0, 2)).toEqual(['b.example.com', '0'])
  })

  it.each([
    {
      name: 'a refusal, in its words',
      fails: () => {
        throw refused()
      },
      message: 'The site says no.',
    },
    {
      name: 'a fault, without the secret in it',
      fails: () => Promise.reject(new Error('GET /?key=stored-secret&again=typed%2Fsecret failed')),
      message: 'GET /?key=••••&again=•••• failed',
    },
    {
      name: 'an answer that is none',
      fails: () => undefined as never,
      message: 'run() gave no object with ok and message',
    },
  ])('shows $name', async ({ fails, message }) => {
    run = fails
    const { data } = await press({ TrialSecret: 'typed/secret' })
    expect(data).toEqual({ ok: false, message, details: [] })
  })

  it('shows no secret in an answer that went well', async () => {
    run = (values) => ({
      ok: true,
      message: { en: `It is ${values.get<string>('TrialSecret')}`, zh: '' },
      details: [{ label: { en: 'key', zh: '' }, value: 'stored-secret!' }],
    })
    const { data } = await press()
    expect(data).toMatchObject({ message: 'It is ••••', details: [{ value: '••••!' }] })
  })

  it('ends at its deadline', async () => {
    let isAborted = false
    run = (_values, { signal }) => {
      signal.addEventListener('abort', () => (isAborted = true))
      return new Promise(() => undefined)
    }
    const actions = new OptionActions({
      actions: app.contributions.optionActions,
      options: app.options,
      log: quietLog,
      deadlineMs: 20,
    })
    const actor = { id: 1, username: 'boss' }
    const call = { id: 'trial', typed: {}, input: '', actor, language: 'en' } as const
    expect(await actions.run(call)).toMatchObject({
      ok: false,
      message: expect.stringContaining('in time'),
    })
    expect(isAborted).toBe(true)
  })
})
