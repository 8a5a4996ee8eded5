// The kit finds what is wrong with a folder outside: one plugin with a fault of each kind. The command is gone through in conformance.long.test.ts.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkFolders } from '../kit/check-folders.ts'
import { AuthorFolder } from './author-folder.ts'

const author = new AuthorFolder()
afterAll(() => author.close())

const wrong = `import { defineOptions, definePlugin, Type } from 'tollgate'
export default definePlugin({
  id: 'wrong',
  consoleModule: './console/index.js',
  options: defineOptions({ WrongText: Type.String({ default: '' }) }),
  server({ authProviders, paymentProviders, relayHooks, botChecks, statusFields, metrics, routes, jobs, dialects, optionActions }) {
    setInterval(() => undefined, 100_000)
    authProviders.add({
      id: 'wrong', kind: 'redirect', name: { en: 'Wrong', zh: 'Wrong' }, isEnabled: () => true,
      authorizeUrl: () => 'https://wrong.example', identify: () => Promise.resolve({ subject: '1' }),
    })
    paymentProviders.add({
      id: 'wrong', methods: () => [{ id: 'wrong', name: { en: 'Wrong', zh: 'Wrong' } }],
      currency: () => ({ code: 'EUR', decimals: 2 }), merchant: () => 'm',
      start: () => Promise.resolve({ kind: 'redirect', url: 'https://wrong.example' }),
      readNotice: () => ({ kind: 'paid', trade_no: '1', money: '1.00', currency: 'EUR', merchant: 'm', reference: '1' }),
      answerNotice: () => ({ status: 200, body: 'ok' }),
    })
    relayHooks.add({
      id: 'wrong', stage: 'relay.admit', onFailure: 'open', run: (view) => void (view.body.touched = true),
    })
    relayHooks.add({
      id: 'wrong-events', stage: 'relay.event', onFailure: 'open',
      open: () => (data) => { data.touched = true; return data },
    })
    botChecks.add({ id: 'wrong', isEnabled: () => true, check: () => Promise.resolve() })
    statusFields.add({ id: 'wrong', value: () => 1n })
    metrics.add({ id: 'wrong', value: () => '1' })
    optionActions.add({
      id: 'wrong', label: { en: 'Wrong', zh: '' }, options: ['WrongText'],
      run: () => ({ ok: true, message: { en: 'All is well.', zh: '' } }),
    })
    jobs.add({ id: 'wrong', everyMs: 5, run: () => Promise.resolve() })
    let said = ''
    dialects.add({
      id: 'wrong', routes: [{ path: '/wrong/talk' }],
      parseRequest: ({ model, talk }) => ({
        model: String(model), stream: false, includeUsage: false, tools: [], hostedTools: [], system: [],
        turns: talk.map((words) => ({ role: 'user', parts: [{ kind: 'text', text: words }] })),
      }),
      writeAnswer: () => ({ words: 'All is well.' }),
      streamWriter: () => ({
        write: (event) => ((said += event.type === 'text' ? event.delta : ''), ''), end: () => said, error: () => '',
      }),
      writeError: () => ({ problem: true }),
      streamError: ({ message }) => message,
    })
    routes.add((app) => {
      app.get('/api/wrong', { config: { access: 'public' } }, () => ({}))
    })
  },
})
`
const part = `export default {
  screens: [{ path: '/wrong', title: 'missing', load: () => Promise.resolve({}) }, { path: 3 }],
  tables: [{
    id: 'users',
    columns: [{ id: 'wrong', title: 'noColumn', load: () => Promise.resolve({}) }],
    rowActions: [{ id: 'idle', label: 'one' }],
  }],
  texts: { en: { one: 'One {{name}}' }, zh: { two: '二' } },
}
`

it('the command does not pass a folder that is misspelt beside others', async () => {
  const own = author.write('right', { 'index.ts': wrong })
  expect(await author.tollgate('conformance', own, 'nowhere')).toEqual({
    code: 2,
    output: expect.stringMatching(/^There is no plugin in nowhere/),
  })
})

const sheet = `/* body { } */
.wrong, .wrong-row > a:is(:hover, :focus) { color: red; & b { color: blue } }
@media (width < 600px) { .wrong { content: "b { }"; } .card { padding: 0 } }
@keyframes wrong { from { opacity: 0 } }
.wrong p, button { margin: 0 }
`

describe('the kit, on a plugin that does everything wrong', () => {
  let output = ''
  let code = 0

  beforeAll(async () => {
    const own = author.write('wrong', {
      'index.ts': wrong,
      'console/index.js': part,
      'console/wide.css': sheet,
    })
    const intervals = vi.spyOn(globalThis, 'setInterval')
    code = await checkFolders([own], (line) => {
      output += `${line}\n`
    })
    // What the plugin leaves running would go on beside the next tests.
    for (const [at, [, pauseMs]] of intervals.mock.calls.entries())
      if (pauseMs === 100_000) clearInterval(intervals.mock.results[at]?.value as NodeJS.Timeout)
    intervals.mockRestore()
  })

  it('fails', () => expect(code).toBe(1))

  it.each([
    ['no version', /"version" is missing/],
    ['no range', /"contract" is missing/],
    ['no summary', /"summary" needs a line in en and zh/],
    ['nothing that it asks for', /"asks\.services" is missing/],
    ['a method without settings', /it is offered although nothing of it is set/],
    ['a page without state', /its page gets no state/],
    ['anybody let in', /it knows somebody by a code that nobody gave out/],
    ['a shop without a secret', /it sells although it has no secret/],
    ['a forged notice', /it takes the unsigned notice/],
    ['one answer to all notices', /it answers a refused notice as a taken one/],
    ['a call that is changed', /a chat call: it fails with TypeError/],
    ['an event that is changed in place', /it changes an event in place; give back another object/],
    ['a check that checks nothing', /it lets an empty token through/],
    ['a body that nobody checked', /TypeError: talk\.map is not a function for \{/],
    ['an answer without its words', /its answer lacks what the model said/],
    ['a stream that comes at its end', /its stream is held back until its end/],
    ['a refusal that says nothing', /writeError\(\) does not say why\s+error\(\) of its stream/],
    ['a button without words', /its button has no words[\s\S]*it says nothing in en and zh/],
    ['a field that JSON cannot say', /its value cannot be sent|nothing that JSON can say/],
    ['a figure that is none', /metrics "wrong\/wrong"\s+value\(\) gave no number/],
    ['a job without a pause', /it runs every 5 ms/],
    ['a screen that is none', /screens\[1\]/],
    ['words of one language', /zh lacks "one"[\s\S]*en lacks "two"/],
    ['a placeholder of another form', /"one" has \{\{…\}\}/],
    ['a title without words', /texts has no "missing"/],
    ['a column without words', /texts has no "noColumn"/],
    ['a row action that does nothing', /rowActions\[0\]: it has neither "link" nor "load"/],
    ['an option without words', /texts has no options\.WrongText/],
    ['timers that are left', /timers are left/],
    ['sheets that reach others', /wide\.css: "\.card" reaches[\s\S]*wide\.css: "button" reaches/],
  ])('names %s', (_what, sentence) => expect(output).toMatch(sentence))

  it('lets rules be that begin with a class of its own, whatever they stand in', () =>
    expect(output.match(/reaches all of the console/g)).toHaveLength(2))
})
