// Tells observers about a call when it is over.
import type { SeenCall } from '../../contract/relay.ts'
import { AnswerRecord } from './answer-record.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { HookDeps } from '../call/relay-deps.ts'
import { applicable, logFault, viewOf } from './run-hooks.ts'

const DEFAULT_MAX_CHARS = 262_144

/** Finds the observers of this call. @throws AppError */
export function observe(call: AdmittedCall, deps: HookDeps): void {
  const hooks = deps.hooks('relay.observe')
  if (hooks.length === 0 || call.operation === 'task' || call.operation === 'realtime') return
  const wanted = applicable(hooks, call, deps)
  if (wanted.length === 0) return
  call.observers = wanted
  call.record ??= new AnswerRecord()
  for (const { maxChars = DEFAULT_MAX_CHARS } of wanted) call.record.raise(maxChars)
}

/** Calls the observers in the background; nobody waits for them. */
export function callObservers(
  call: AdmittedCall,
  ending: Pick<SeenCall, 'status' | 'channelId' | 'error'>,
  deps: HookDeps,
): void {
  const { observers } = call
  if (!observers) return
  call.observers = undefined
  const durationMs = Math.round(performance.now() - call.startedAtMs)
  for (const hook of observers) {
    const run = async () => {
      const { record } = call
      const answer = record?.whole()
      const seen = { ...ending, answer, isCut: record?.isCut ?? false, durationMs }
      await hook.run(viewOf(call), seen)
    }
    void run().catch((error: unknown) => logFault(hook, error, call, deps))
  }
}
