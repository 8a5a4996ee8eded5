// A plugin from outside that goes through the hooks that change calls: core/relay/hooks/relay-hooks.test.ts asks what came of it.
import {
  definePlugin,
  envelope,
  errorType,
  type PluginServices,
  type RelayView,
  type SeenCall,
} from 'tollgate'

const NAME = 'Alice "A." Liddell'
const MARK = '[name-1]'

const refused = errorType('name_mask.refused', 422, {
  en: 'Not this answer.',
  zh: '不允许此回答。',
})

/** Calls in which the name was hidden: the answer's hook asks what the question's has done. */
const hidden = new WeakSet<RelayView>()
const seen: (SeenCall & { model: string; body: unknown })[] = []

export default definePlugin({
  id: 'name-mask',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Hides a name from upstreams', zh: '对上游隐藏姓名' },
  server({ relayHooks, routes }) {
    addMask(relayHooks)
    addOrdered(relayHooks)
    addEdits(relayHooks)
    addFaults(relayHooks)
    relayHooks.add({
      id: 'note',
      stage: 'relay.observe',
      onFailure: 'open',
      maxChars: 1000,
      applies: ({ model }) => !model.startsWith('plain'),
      run: (view, call) => void seen.push({ ...call, model: view.model, body: view.body }),
    })
    routes.add((app) => {
      app.get('/api/name-mask/seen', { config: { access: 'admin' } }, () =>
        envelope(seen.splice(0)),
      )
    })
  },
})

type Hooks = PluginServices['relayHooks']

function addMask(relayHooks: Hooks): void {
  relayHooks.add({
    id: 'hide',
    stage: 'relay.request',
    onFailure: 'closed',
    applies: ({ model }) => !model.startsWith('plain'),
    run(view, draft) {
      if (draft.mapTexts((text) => text.replaceAll(NAME, MARK))) hidden.add(view)
    },
  })
  relayHooks.add({
    id: 'mark',
    stage: 'relay.send',
    onFailure: 'closed',
    applies: (view) => hidden.has(view),
    run: (view, { setHeader, channelId }) => setHeader?.('X-Masked', `${view.model} ${channelId}`),
  })
  relayHooks.add({
    id: 'show',
    stage: 'relay.text',
    onFailure: 'open',
    applies: (view) => hidden.has(view),
    open: () => (text, isEnd) => {
      const keep = isEnd ? 0 : beginning(text)
      return { text: text.slice(0, text.length - keep).replaceAll(MARK, NAME), keep }
    },
  })
}

/** How much of the end may be the beginning of a mark. */
function beginning(text: string): number {
  const at = text.lastIndexOf('[')
  return at >= 0 && MARK.startsWith(text.slice(at)) && text.slice(at) !== MARK
    ? text.length - at
    : 0
}

/** Each adds its letter: the question passes a, b, the answer b, a. */
function addOrdered(relayHooks: Hooks): void {
  const applies = ({ model }: RelayView) => model.endsWith('ordered')
  for (const [letter, order] of [
    ['b', 20],
    ['a', 10],
  ] as const) {
    relayHooks.add({
      id: `ask-${letter}`,
      stage: 'relay.request',
      onFailure: 'closed',
      order,
      applies,
      run: (_view, draft) => void draft.mapTexts((text) => text + letter),
    })
    relayHooks.add({
      id: `answer-${letter}`,
      stage: 'relay.text',
      onFailure: 'closed',
      order,
      applies,
      open: () => (text, isEnd) => ({ text: isEnd ? text + letter.toUpperCase() : text }),
    })
  }
}

const of = (word: string) => (view: RelayView) => view.model.endsWith(word)

function addEdits(relayHooks: Hooks): void {
  relayHooks.add({
    id: 'edit',
    stage: 'relay.request',
    onFailure: 'closed',
    applies: of('edited'),
    run: (_view, draft) => draft.replace({ ...draft.body, temperature: 0.25 }),
  })
  relayHooks.add({
    id: 'instruct',
    stage: 'relay.request',
    onFailure: 'closed',
    applies: of('instructed'),
    run: (_view, draft) => {
      if (!draft.instruct('Be brief.')) throw refused()
    },
  })
}

function addFaults(relayHooks: Hooks): void {
  for (const onFailure of ['open', 'closed'] as const) {
    relayHooks.add({
      id: `request-${onFailure}`,
      stage: 'relay.request',
      onFailure,
      applies: of(`request-${onFailure}`),
      run(_view, draft) {
        draft.mapTexts(() => 'half done')
        throw new Error('the hook broke')
      },
    })
    relayHooks.add({
      id: `text-${onFailure}`,
      stage: 'relay.text',
      onFailure,
      applies: of(`text-${onFailure}`),
      open: () => (text) => {
        if (text.includes('v')) throw new Error('the hook broke')
        // Kept until it breaks.
        return text.includes('f') ? { text: '', keep: text.length } : { text }
      },
    })
  }
  relayHooks.add({
    id: 'other-model',
    stage: 'relay.request',
    onFailure: 'closed',
    applies: of('other-model'),
    run: (_view, draft) => draft.replace({ ...draft.body, model: 'm-another' }),
  })
  relayHooks.add({
    id: 'stolen-key',
    stage: 'relay.send',
    onFailure: 'closed',
    applies: of('stolen-key'),
    run: (_view, { setHeader }) => setHeader?.('Authorization', 'Bearer mine'),
  })
  relayHooks.add({
    id: 'refuse',
    stage: 'relay.text',
    onFailure: 'open',
    applies: of('refused'),
    open: () => (text) => {
      if (text.includes('v')) throw refused()
      return { text }
    },
  })
}
