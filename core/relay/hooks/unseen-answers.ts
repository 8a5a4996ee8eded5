// Answers that no hook sees: those made in the background, and those fetched again from the upstream that stores them.
import type { RelayView } from '../../contract/relay.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { HookDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { applicableTo, viewOf } from './run-hooks.ts'

/** Refuses a background answer if some hook must see every answer. @throws relay.answer_guarded */
export function refuseBackground(call: AdmittedCall, deps: HookDeps): void {
  if (call.body?.['background'] === true) refuseGuarded(() => viewOf(call), 'background', deps)
}

/** Refuses to fetch a stored answer if some hook must see every answer. @throws relay.answer_guarded */
export function refuseStored(
  stored: Omit<RelayView, 'operation' | 'dialect' | 'body' | 'texts'>,
  deps: HookDeps,
): void {
  const view = (): RelayView => ({
    ...stored,
    operation: 'chat',
    dialect: 'openai-responses',
    body: undefined,
    texts: () => [],
  })
  refuseGuarded(view, 'id', deps)
}

function refuseGuarded(view: () => RelayView, field: string, deps: HookDeps): void {
  const hooks = [...deps.hooks('relay.text'), ...deps.hooks('relay.event')]
  const closed = hooks.filter(({ onFailure }) => onFailure === 'closed')
  if (closed.length === 0) return
  const seen = view()
  const meant = closed.filter(({ stage }) => stage === 'relay.text' || seen.isStream)
  if (applicableTo(meant, seen, deps).length > 0) throw relayErrors.answerGuarded({}, { field })
}
