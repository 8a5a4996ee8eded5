import { defineOptions, definePlugin, type RelayView, Type } from 'tollgate/contract'
import { beginningOf } from './beginning-of.ts'

/** Stands for the word on its way. */
const MARK = '[ACME_WORD]'

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Hides a word from upstreams', zh: '对上游隐藏一个词' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['relayHooks', 'options'] },
  consoleModule: './console/index.js',
  options: defineOptions({
    AcmeWord: Type.String({
      default: '',
      maxLength: 200,
      'x-ui': { tab: 'operation', section: 'acme' },
    }),
  }),
  server({ relayHooks, options }) {
    const word = () => options.get<string>('AcmeWord')
    /** The calls in which something was hidden, with what it was. */
    const hidden = new WeakMap<RelayView, string>()
    relayHooks.add({
      id: 'hide',
      stage: 'relay.request',
      // A call that cannot be changed is refused.
      onFailure: 'closed',
      // Sessions of sound and long work have no text to change.
      applies: ({ operation }) => word() !== '' && operation !== 'realtime' && operation !== 'task',
      run(view, draft) {
        const secret = word()
        if (draft.mapTexts((text) => text.replaceAll(secret, MARK))) hidden.set(view, secret)
      },
    })
    relayHooks.add({
      id: 'show',
      stage: 'relay.text',
      onFailure: 'open',
      applies: (view) => hidden.has(view),
      open: (view) => (text, isEnd) => {
        // What may be half of the mark comes again with the next piece.
        const keep = isEnd ? 0 : beginningOf(MARK, text)
        const whole = text.slice(0, text.length - keep)
        return { text: whole.replaceAll(MARK, hidden.get(view) ?? MARK), keep }
      },
    })
  },
})
