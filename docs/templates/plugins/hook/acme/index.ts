import { defineOptions, definePlugin, errorType, Type } from 'tollgate/contract'

const refused = errorType(
  'acme.refused',
  400,
  {
    en: 'The request holds words that are not allowed here.',
    zh: '请求包含此处不允许的词语。',
  },
  // What API clients read in `error.code`.
  { relay: 'acme_refused' },
)

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Refuses calls that hold certain words', zh: '拒绝包含特定词语的请求' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['relayHooks', 'options'] },
  consoleModule: './console/index.js',
  options: defineOptions({
    AcmeWords: Type.String({
      default: '',
      maxLength: 10_000,
      'x-ui': { tab: 'operation', section: 'acme', widget: 'lines' },
    }),
  }),
  server({ relayHooks, options }) {
    // Read once a change, not once a call.
    let words = wordsIn(options.get('AcmeWords'))
    options.onChange((key) => {
      if (key === 'AcmeWords') words = wordsIn(options.get('AcmeWords'))
    })
    relayHooks.add({
      id: 'acme',
      stage: 'relay.admit',
      deadlineMs: 200,
      // A guard that fails lets nothing through; `open` would let everything through.
      onFailure: 'closed',
      run(view) {
        if (words.length === 0) return
        for (const text of view.texts()) {
          const lower = text.toLowerCase()
          if (words.some((word) => lower.includes(word))) throw refused()
        }
      },
    })
  },
})

function wordsIn(lines: string): string[] {
  return lines
    .split('\n')
    .map((line) => line.trim().toLowerCase())
    .filter((line) => line !== '')
}
