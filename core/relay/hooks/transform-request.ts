// The request after the hooks of `relay.request`. If no hook handles the call, the client's bytes are sent unchanged.
import type { FormPart } from '../../contract/http-client.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { RequestDraft } from '../../contract/relay.ts'
import { faultyCount, faultyFormCount, faultyGeminiCount } from '../intake/check-counts.ts'
import { takesInstructions, withInstructions } from '../../dialects/instructions.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { HookDeps } from '../call/relay-deps.ts'
import { mapPromptTexts, type TextPath } from './prompt-texts.ts'
import { formFields } from '../intake/form-fields.ts'
import { applicable, logOrRefuse, viewOf } from './run-hooks.ts'
import { refuseBackground } from './unseen-answers.ts'

/** The call was admitted and routed by these fields, and is answered by them; hooks must not change them. */
const fixedFields = [
  'model',
  'models',
  'stream',
  'stream_format',
  'stream_options',
  'background',
  'previous_response_id',
  'conversation',
] as const

/** @throws AppError of a hook that refuses, or that failed and is `closed` */
export async function transformRequest(call: AdmittedCall, deps: HookDeps): Promise<void> {
  if (isUnchangeable(call)) return refuseUnchangeable(call, deps)
  refuseBackground(call, deps)
  for (const hook of applicable(deps.hooks('relay.request'), call, deps)) {
    try {
      const draft = new Draft(call)
      const running = hook.run(viewOf(call), draft)
      if (running) await running
      draft.apply()
    } catch (error) {
      logOrRefuse(hook, error, call, deps)
    }
  }
}

/** Hooks cannot change the requests of tasks, which are read before the relay sees them, nor the prompts and answers of
 *  a session, which come later. A hook that must not be bypassed refuses such calls. */
function refuseUnchangeable(call: AdmittedCall, deps: HookDeps): void {
  const hooks = [
    ...deps.hooks('relay.request'),
    ...deps.hooks('relay.text'),
    // Tasks have no stream. The events of a session do not pass the hooks either.
    ...(call.operation === 'realtime' ? deps.hooks('relay.event') : []),
  ]
  for (const hook of applicable(hooks, call, deps))
    logOrRefuse(hook, new Error(`what a ${call.operation} says cannot be changed`), call, deps)
}

function isUnchangeable({ operation }: AdmittedCall): boolean {
  return operation === 'task' || operation === 'realtime'
}

class Draft implements RequestDraft {
  readonly #call: AdmittedCall
  readonly #original: JsonObject | undefined
  #body: JsonObject | undefined
  #form: FormPart[] | undefined
  #isForeign = false

  constructor(call: AdmittedCall) {
    const { body, form } = call
    this.#call = call
    this.#original = body
    this.#body = body
    this.#form = form
  }

  get body(): JsonObject | undefined {
    return this.#body
  }

  replace(body: JsonObject): void {
    const original = this.#original
    if (!original) throw new TypeError('a form has no body: change its texts')
    if (!isObject(body)) throw new TypeError('the body must be an object')
    const fixed = fixedFields.find((name) => !isSame(body[name], original[name]))
    if (fixed !== undefined)
      throw new TypeError(`${fixed} was decided on when the call was admitted and stays as it is`)
    this.#body = body
    this.#isForeign = true
  }

  instruct(text: string): boolean {
    const { dialect, operation } = this.#call
    if (!this.#body || !takesInstructions(operation)) return false
    const body = withInstructions(this.#body, dialect, { text, isAlways: true })
    const isChanged = body !== this.#body
    this.#body = body
    return isChanged
  }

  mapTexts(change: (text: string, path: TextPath) => string): boolean {
    if (this.#body) {
      const body = mapPromptTexts(this.#body, change)
      const isChanged = body !== this.#body
      this.#body = body
      return isChanged
    }
    const fields = formFields(this.#form ?? [])
    const mapped = mapPromptTexts(fields, change)
    if (mapped === fields) return false
    this.#form = this.#form?.map((part) => {
      const value = mapped[part.name]
      return 'value' in part && typeof value === 'string' ? { ...part, value } : part
    })
    return true
  }

  /** @throws Error for numbers that the gateway would not accept from a client */
  apply(): void {
    const call = this.#call
    if (this.#form && this.#form !== call.form) {
      call.form = this.#form
      const fault = faultyFormCount(call.form, operationOf(call))
      if (fault) throw new Error('the changed form is refused', { cause: fault })
    }
    if (!this.#body || this.#body === this.#original) return
    const text = JSON.stringify(this.#body)
    // Copied, because a plugin may change its object later, or it may hold values that are not JSON.
    const body = this.#isForeign ? (JSON.parse(text) as JsonObject) : this.#body
    const fault =
      faultyCount(body, operationOf(call)) ??
      (call.dialect === 'gemini' ? faultyGeminiCount(body) : undefined)
    if (fault) throw new Error('the changed body is refused', { cause: fault })
    call.body = body
    call.bytes = Buffer.from(text)
    call.neutral = undefined
  }
}

function operationOf({ operation }: AdmittedCall) {
  return operation === 'task' ? 'chat' : operation
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
