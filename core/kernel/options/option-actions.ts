import type { OptionReader } from '../../contract/adapter.ts'
import { AppError, errorType, type Text } from '../../contract/errors.ts'
import { isObject } from '../../contract/json.ts'
import type { OptionAction, OptionActionResult } from '../../contract/option-actions.ts'
import type { OptionActor } from '../../contract/options.ts'
import type { Logger } from '../../contract/services.ts'
import type { ContributionRegistry } from '../registry.ts'
import { TooLate, withTimeout } from '../with-timeout.ts'
import { hideSecrets } from './hide-secrets.ts'
import type { OptionStore } from './option-store.ts'
import { errorText } from '../error-text.ts'

const unknownAction = errorType<{ id: string }>('options.unknown_action', 404, {
  en: 'There is no action "{id}". Its plugin may have been switched off: reload the page.',
  zh: '没有操作“{id}”。对应插件可能已停用，请刷新页面。',
})

const DEADLINE_MS = 20_000
const MAX_MESSAGE = 500
const MAX_DETAILS = 20
const MAX_DETAIL = 1_000

/** As the settings page draws it. */
export interface ShownAction extends Pick<OptionAction, 'id' | 'label' | 'hint' | 'input'> {
  owner: string
  options: readonly string[]
}

export interface ActionCall {
  id: string
  /** Wire strings from the form; those that the action does not use are left out. */
  typed: Readonly<Record<string, string>>
  input: string
  actor: OptionActor
  language: 'en' | 'zh'
}

export interface ActionAnswer {
  ok: boolean
  message: string
  details: { label: string; value: string }[]
}

/** Tries the values in the form. Whatever an action does, the answer is a sentence without the plugin's secrets. */
export class OptionActions {
  readonly #actions: ContributionRegistry<OptionAction>
  readonly #options: OptionStore
  readonly #log: Logger
  readonly #deadlineMs: number

  constructor(deps: {
    actions: ContributionRegistry<OptionAction>
    options: OptionStore
    log: Logger
    deadlineMs?: number
  }) {
    this.#actions = deps.actions
    this.#options = deps.options
    this.#log = deps.log
    this.#deadlineMs = deps.deadlineMs ?? DEADLINE_MS
  }

  list(): ShownAction[] {
    return this.#actions.owned().map(({ owner, entry: { id, label, hint, input, options } }) => ({
      id,
      owner,
      label,
      ...(hint ? { hint } : {}),
      ...(input ? { input } : {}),
      options,
    }))
  }

  /** @throws options.unknown_action, options.invalid_value, options.secret_needed */
  async run({ id, typed, input, actor, language }: ActionCall): Promise<ActionAnswer> {
    const action = this.#actions.get(id)
    const owner = this.#actions.ownerOf(id)
    if (!action || owner === undefined) throw unknownAction({ id: id.slice(0, 120) })
    const own = Object.entries(typed).filter(([key]) => action.options.includes(key))
    const values = this.#options.tried(owner, Object.fromEntries(own), actor)
    const ending = new AbortController()
    const context = { userId: actor.id, language, input: input.trim(), signal: ending.signal }
    let answer: ActionAnswer
    try {
      const running = Promise.resolve(action.run(values, context))
      answer = shownResult(await withTimeout(this.#deadlineMs, 'run()', running), language)
    } catch (error) {
      const isOwnFault = !(error instanceof AppError) && !(error instanceof TooLate)
      if (isOwnFault)
        this.#log.warn({ err: error, plugin: owner, action: id }, 'an option action failed')
      answer = { ok: false, message: faultOf(error, language), details: [] }
    } finally {
      ending.abort()
    }
    return without(this.#secretsOf(owner, values), answer)
  }

  #secretsOf(owner: string, values: OptionReader): unknown[] {
    const keys = this.#options.secretKeysOf(owner)
    return keys.flatMap((key) => [values.get<unknown>(key), this.#options.get<unknown>(key)])
  }
}

function shownResult(result: OptionActionResult, language: 'en' | 'zh'): ActionAnswer {
  const words = (text: unknown, most: number) => wordsOf(text, language).slice(0, most)
  if (!isObject(result)) throw new TypeError('run() gave no object with ok and message')
  const { ok, message, details } = result as Partial<OptionActionResult>
  const list = Array.isArray(details) ? details.slice(0, MAX_DETAILS) : []
  return {
    ok: ok === true,
    message: words(message, MAX_MESSAGE),
    details: list.map((detail) => ({
      label: words(detail.label, MAX_MESSAGE),
      value: String(detail.value).slice(0, MAX_DETAIL),
    })),
  }
}

function wordsOf(text: unknown, language: 'en' | 'zh'): string {
  const words = isObject(text) ? text[language] : undefined
  if (typeof words !== 'string') throw new TypeError('run() gave a text without en or zh')
  return words
}

const tooLate: Text = {
  en: 'There was no answer in time. Check the address and the network.',
  zh: '未能及时得到应答，请检查地址与网络。',
}

function faultOf(error: unknown, language: 'en' | 'zh'): string {
  if (error instanceof AppError) return error.messageIn(language)
  if (error instanceof TooLate) return tooLate[language]
  return errorText(error).slice(0, MAX_MESSAGE)
}

function without(secrets: readonly unknown[], answer: ActionAnswer): ActionAnswer {
  const clean = (text: string) => hideSecrets(secrets, text)
  return {
    ok: answer.ok,
    message: clean(answer.message),
    details: answer.details.map(({ label, value }) => ({ label, value: clean(value) })),
  }
}
