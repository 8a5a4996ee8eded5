import type { FormPart } from '../../contract/adapter.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { TokenIdentity } from '../../contract/services.ts'
import type { RelayHook, RelayView } from '../../contract/relay.ts'
import { AppError } from '../../contract/errors.ts'
import type { RoutedChannel } from '../../channels/routed-channel.ts'
import type { RelayDeps } from '../call/relay-deps.ts'
import type { RelayCall, RelayInput } from '../call/relay-call.ts'
import { promptTexts } from '../call/prompt-texts.ts'
import { relayErrors } from '../call/relay-errors.ts'

/** The group whose channels and price apply to a token's call.
 *  @throws relay.group_not_allowed */
export function groupOf(identity: TokenIdentity, deps: RelayDeps, model: string): string {
  const wanted = identity.tokenGroup
  if (wanted === '') return identity.userGroup
  const usable = deps.pricing.usableGroups(identity.userGroup)
  if (wanted === 'auto') {
    const mayUse = (group: string) => usable.some((entry) => entry.name === group)
    const candidates = deps.options.get<string[]>('AutoGroups').filter(mayUse)
    return (
      candidates.find((group) => deps.index().serves(group, model)) ??
      candidates[0] ??
      identity.userGroup
    )
  }
  if (!usable.some((entry) => entry.name === wanted))
    throw relayErrors.groupRefused({ group: wanted })
  return wanted
}

/** Group, model and channel: whether this key may make this call at all. */
export function checkModel(
  input: RelayInput,
  identity: TokenIdentity,
  group: string,
  deps: RelayDeps,
  pinned: RoutedChannel | undefined,
): void {
  if (identity.models && !identity.models.has(input.model))
    throw relayErrors.modelRefused({ model: input.model })
  if (pinned) return
  const index = deps.index()
  if (index.serves(group, input.model)) return
  if (!index.hasModel(input.model))
    throw relayErrors.modelUnknown({ model: input.model.slice(0, 200) }, { field: 'model' })
  throw relayErrors.noChannel({ model: input.model, group })
}

export function pinnedChannel(id: number | undefined, deps: RelayDeps): RoutedChannel | undefined {
  if (id === undefined) return undefined
  const channel = deps.index().find(id)
  if (!channel) throw relayErrors.pinUnknown({ id })
  if (!channel.isEnabled) throw relayErrors.pinDisabled({ id })
  return channel
}

/** The channel of the stored response that a call goes on from; `free` when there is none, or that channel has another job by now. */
export function boundChannel(
  { bound, group, model }: Pick<RelayCall, 'bound' | 'group' | 'model'>,
  deps: RelayDeps,
): RoutedChannel | 'free' | undefined {
  const channel = bound && deps.index().find(bound.channelId)
  if (!channel?.view.models.includes(model)) return 'free'
  return channel.isEnabled && channel.groups.includes(group) ? channel : undefined
}

/** Runs the hooks of a stage, each with its deadline. A hook that refuses throws an AppError; one that fails counts as it declared. */
export async function runHooks(
  stage: RelayHook['stage'],
  call: RelayCall,
  deps: RelayDeps,
  extra: { status?: number; channelId?: number } = {},
): Promise<void> {
  const hooks = deps.hooks(stage)
  if (hooks.length === 0) return
  const view = viewOf(call)
  for (const hook of hooks) {
    try {
      const running = hook.run(view, extra)
      if (running) await withDeadline(hook, running)
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

async function withDeadline(hook: RelayHook, running: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${hook.deadlineMs ?? 1000} ms`)),
      hook.deadlineMs ?? 1000,
    )
  })
  try {
    await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}

function formFields(form: readonly FormPart[]): JsonObject {
  return Object.fromEntries(
    form.flatMap((part) => ('value' in part ? [[part.name, part.value]] : [])),
  )
}

function viewOf(call: RelayCall): RelayView {
  return {
    requestId: call.requestId,
    userId: call.identity.userId,
    tokenId: call.identity.tokenId,
    group: call.group,
    model: call.model,
    operation: call.operation,
    dialect: call.dialect,
    isStream: call.isStream,
    body: call.body,
    texts: () => promptTexts(call.body ?? formFields(call.form ?? [])),
  }
}
