import { AppError } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { AskingHook, HookExtra, RelayHook, RelayView } from '../../contract/relay.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { HookDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { formFields } from '../intake/form-fields.ts'
import { promptTexts } from './prompt-texts.ts'

/** Runs the hooks of a stage; the kernel enforces their time limits. A hook refuses by throwing an AppError. If it
 *  fails otherwise, its `onFailure` decides. */
export async function runHooks(
  stage: AskingHook['stage'],
  call: AdmittedCall,
  deps: HookDeps,
  extra: HookExtra = {},
): Promise<void> {
  const hooks = deps.hooks(stage)
  if (hooks.length === 0) return
  const view = viewOf(call)
  for (const hook of hooks) {
    try {
      if (hook.applies && !hook.applies(view)) continue
      const running = hook.run(view, extra)
      if (running) await running
    } catch (error) {
      if (stage === 'relay.answer') logFault(hook, error, call, deps)
      else logOrRefuse(hook, error, call, deps)
    }
  }
}

/** The hooks that handle a call. @throws AppError if a `closed` hook fails */
export function applicable<T extends RelayHook>(
  hooks: readonly T[],
  call: AdmittedCall,
  deps: HookDeps,
): readonly T[] {
  return hooks.length === 0 ? hooks : applicableTo(hooks, viewOf(call), deps)
}

/** The same for a view without a call. @throws AppError if a `closed` hook fails */
export function applicableTo<T extends RelayHook>(
  hooks: readonly T[],
  view: RelayView,
  deps: Pick<HookDeps, 'log'>,
): readonly T[] {
  return hooks.filter((hook) => {
    try {
      return !hook.applies || hook.applies(view)
    } catch (error) {
      logOrRefuse(hook, error, view, deps)
      return false
    }
  })
}

/** A hook failed. If it is `open`, the failure is logged and the call goes on. @throws AppError for a `closed` hook, and any refusal */
export function logOrRefuse(
  hook: RelayHook,
  error: unknown,
  call: Pick<AdmittedCall, 'requestId'>,
  deps: Pick<HookDeps, 'log'>,
): void {
  if (error instanceof AppError) throw error
  logFault(hook, error, call, deps)
  if (hook.onFailure === 'closed') throw relayErrors.hookFailed({}, { cause: error })
}

export function logFault(
  hook: Pick<RelayHook, 'id'>,
  error: unknown,
  { requestId }: Pick<AdmittedCall, 'requestId'>,
  { log }: Pick<HookDeps, 'log'>,
): void {
  log.error({ err: error, hook: hook.id, requestId }, 'a relay hook failed')
}

/** One view for all hooks of a call; its body is always the current one. */
export function viewOf(call: AdmittedCall): RelayView {
  call.view ??= new CallView(call)
  return call.view
}

/** A class, because a getter in an object literal creates a closure per call and turns the object into dictionary mode. */
class CallView implements RelayView {
  readonly requestId: string
  readonly userId: number
  readonly tokenId: number
  readonly group: string
  readonly model: string
  readonly operation: RelayView['operation']
  readonly dialect: RelayView['dialect']
  readonly isStream: boolean
  readonly #call: AdmittedCall

  constructor(call: AdmittedCall) {
    this.requestId = call.requestId
    this.userId = call.identity.userId
    this.tokenId = call.identity.tokenId
    this.group = call.group
    this.model = call.requestedModel
    this.operation = call.operation
    this.dialect = call.dialect
    this.isStream = call.isStream
    this.#call = call
  }

  get body(): JsonObject | undefined {
    return this.#call.body
  }

  texts(): Iterable<string> {
    return promptTexts(this.#call.body ?? formFields(this.#call.form ?? []))
  }
}
