import type { FormPart } from '../../contract/adapter.ts'
import { AppError } from '../../contract/errors.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { RelayHook, RelayView } from '../../contract/relay.ts'
import { promptTexts } from './prompt-texts.ts'
import type { AdmittedCall } from './relay-call.ts'
import type { HookDeps } from './relay-deps.ts'
import { relayErrors } from './relay-errors.ts'

/** Runs the hooks of a stage; each ends by its deadline, which the kernel keeps. A hook that refuses throws an AppError; one that fails counts as it declared. */
export async function runHooks(
  stage: RelayHook['stage'],
  call: AdmittedCall,
  deps: HookDeps,
  extra: { status?: number; channelId?: number } = {},
): Promise<void> {
  const hooks = deps.hooks(stage)
  if (hooks.length === 0) return
  const view = viewOf(call)
  for (const hook of hooks) {
    try {
      const running = hook.run(view, extra)
      if (running) await running
    } catch (error) {
      if (error instanceof AppError && stage !== 'relay.answer') throw error
      deps.log.error(
        { err: error, hook: hook.id, requestId: call.requestId },
        'a relay hook failed',
      )
      if (hook.onFailure === 'closed' && stage !== 'relay.answer')
        throw relayErrors.hookFailed({}, { cause: error })
    }
  }
}

function formFields(form: readonly FormPart[]): JsonObject {
  return Object.fromEntries(
    form.flatMap((part) => ('value' in part ? [[part.name, part.value]] : [])),
  )
}

function viewOf(call: AdmittedCall): RelayView {
  return {
    requestId: call.requestId,
    userId: call.identity.userId,
    tokenId: call.identity.tokenId,
    group: call.group,
    model: call.requestedModel,
    operation: call.operation,
    dialect: call.dialect,
    isStream: call.isStream,
    body: call.body,
    texts: () => promptTexts(call.body ?? formFields(call.form ?? [])),
  }
}
