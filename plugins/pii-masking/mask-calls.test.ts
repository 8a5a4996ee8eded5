// Calls in which nothing can be replaced, because their texts come later or were read before.
import { AppError, type RelayHook, type RelayView } from '#core'
import { expect, it } from 'vitest'
import { personalSearches } from './find/personal-finders.ts'
import { maskCalls } from './mask-calls.ts'
import type { CountedKind } from './schema.ts'

const hooks: RelayHook[] = []
const counted: string[] = []
maskCalls(
  { add: (hook) => void hooks.push(hook) },
  () => ({
    action: 'mask',
    isRestored: true,
    searches: Object.values(personalSearches),
    isMeant: ({ model }) => model !== 'free',
  }),
  { add: (found: ReadonlyMap<CountedKind, number>) => void counted.push(...found.keys()) } as never,
)

function viewOf(operation: RelayView['operation'], text: string, model = 'm'): RelayView {
  return {
    requestId: 'r',
    userId: 1,
    tokenId: 1,
    group: 'default',
    model,
    operation,
    dialect: 'openai-chat',
    isStream: false,
    body: { prompt: text },
    texts: () => [text],
  }
}

/** The message of the refusal, or undefined where the call goes on. */
async function refusalOf(view: RelayView): Promise<string | undefined> {
  for (const hook of hooks) {
    if (hook.stage !== 'relay.admit' || !hook.applies?.(view)) continue
    try {
      await hook.run(view, {})
    } catch (error) {
      return error instanceof AppError ? error.code : String(error)
    }
  }
  return undefined
}

const changes = (view: RelayView) =>
  hooks.some((hook) => hook.stage === 'relay.request' && hook.applies?.(view))

it.each([
  ['task', 'draw ada@example.com', 'm', 'pii_masking.refused'],
  ['task', 'draw a cat', 'm', undefined],
  ['task', 'draw ada@example.com', 'free', undefined],
  ['realtime', '', 'm', 'pii_masking.unchangeable'],
  ['realtime', '', 'free', undefined],
] as const)('%s of %j with the model %s ends with %s', async (operation, text, model, code) => {
  const view = viewOf(operation, text, model)
  expect(await refusalOf(view)).toBe(code)
  expect(changes(view)).toBe(false)
})

it('counts what was refused', () => {
  expect(counted).toEqual(['email'])
})

it('leaves admitted calls to the hook that changes them', async () => {
  const view = viewOf('chat', 'ada@example.com')
  expect(await refusalOf(view)).toBeUndefined()
  expect(changes(view)).toBe(true)
})
