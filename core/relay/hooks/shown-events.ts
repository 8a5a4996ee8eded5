// Passes the events of a streamed answer through the hooks of `relay.event`, in the form that the client gets. One
// instance per attempt. Usage is counted from the upstream's events, not from these.
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { EventChange, EventTransform } from '../../contract/relay.ts'
import { parseLoosely } from '../../wire/parse-loosely.ts'
import { blankLineOf } from '../../dialects/neutral/parsed-event.ts'
import { SseSplitter } from '../../wire/sse.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { HookDeps } from '../call/relay-deps.ts'
import { applicable, logOrRefuse, viewOf } from './run-hooks.ts'
import type { StreamPipeline, Translated } from '../chat/stream-pipeline.ts'
import { logOrEnd } from './hook-ends.ts'

interface Stage {
  readonly hook: EventTransform
  readonly change: EventChange
  /** The hook has failed, and the rest of the answer passes it unchanged. */
  isOff: boolean
}

/** The data of an event, and its text once a hook has changed it. */
interface Shown {
  readonly data: JsonObject
  readonly json?: string
}

type Deps = Pick<HookDeps, 'log'>

/** Undefined if no hook handles the events: they are passed on unchanged. @throws AppError */
export function shownEvents(call: AdmittedCall, deps: HookDeps): ShownEvents | undefined {
  if (!call.isStream) return undefined
  const hooks = deps.hooks('relay.event')
  if (hooks.length === 0) return undefined
  const wanted = applicable(hooks, call, deps)
  if (wanted.length === 0) return undefined
  const type = call.ownCodec?.streamType
  if (type === undefined || type.startsWith('text/event-stream'))
    return ShownEvents.open(wanted.toReversed(), call, deps)
  // The stream of a plugin's dialect may have a form without events.
  const fault = new Error(`an answer of the type ${type} has no events that could be looked at`)
  for (const hook of wanted) if (hook.onFailure === 'closed') logOrRefuse(hook, fault, call, deps)
  return undefined
}

export class ShownEvents {
  readonly #stages: readonly Stage[]
  readonly #call: AdmittedCall
  readonly #deps: Deps

  private constructor(stages: readonly Stage[], call: AdmittedCall, deps: Deps) {
    this.#stages = stages
    this.#call = call
    this.#deps = deps
  }

  /** @throws AppError */
  static open(
    hooks: readonly EventTransform[],
    call: AdmittedCall,
    deps: Deps,
  ): ShownEvents | undefined {
    const view = viewOf(call)
    const stages = hooks.flatMap((hook): Stage[] => {
      try {
        const change = hook.open(view)
        return change ? [{ hook, change, isOff: false }] : []
      } catch (error) {
        logOrRefuse(hook, error, call, deps)
        return []
      }
    })
    return stages.length === 0 ? undefined : new ShownEvents(stages, call, deps)
  }

  /** Changes a piece of a stream that holds complete events; returns the same text if nothing was changed. @throws AppError */
  change(text: string): string {
    if (text === '') return text
    const splitter = new SseSplitter(Number.POSITIVE_INFINITY)
    let shown = ''
    for (const { data, event, raw } of [...splitter.push(Buffer.from(text)), ...splitter.end()]) {
      const parsed = data.startsWith('{') ? parseLoosely(data) : undefined
      if (!isObject(parsed)) shown += raw
      else {
        const changed = this.#run(parsed, event)
        if (changed) shown += changed.json === undefined ? raw : written(changed, event, raw)
      }
    }
    return shown
  }

  /** Wraps a pipeline so that its output passes the hooks. @throws AppError, from `push` and `end` */
  through(pipeline: StreamPipeline): StreamPipeline {
    const changed = (translated: Translated): Translated => ({
      ...translated,
      text: this.change(translated.text),
    })
    return {
      push: (event) => changed(pipeline.push(event)),
      end: (counted) => changed(pipeline.end(counted)),
      get isComplete() {
        return pipeline.isComplete
      },
      errorText: (error) => pipeline.errorText(error),
    }
  }

  #run(data: JsonObject, event: string | undefined): Shown | undefined {
    let shown: Shown = { data }
    for (const stage of this.#stages) {
      if (stage.isOff) continue
      try {
        const changed: unknown = stage.change(shown.data, event)
        if (changed === undefined) return undefined
        if (!isObject(changed) || changed instanceof Promise)
          throw new TypeError('an event was changed into no object')
        // Written here, so that what JSON cannot say is a fault of this hook.
        if (changed !== shown.data) shown = { data: changed, json: JSON.stringify(changed) }
      } catch (error) {
        stage.isOff = true
        logOrEnd(stage.hook, error, this.#call, this.#deps)
      }
    }
    return shown
  }
}

/** In dialects whose events have names, the name is the type of the data. */
function written(
  { data: { type }, json }: Shown,
  event: string | undefined,
  original: string,
): string {
  const name = event === undefined ? undefined : typeof type === 'string' ? type : event
  // A line break in the name would start another field.
  const line = name === undefined ? '' : `event: ${name.replace(/[\r\n]/g, ' ')}\n`
  return `${line}data: ${json}${blankLineOf(original)}`
}
