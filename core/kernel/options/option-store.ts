import type { TSchema } from '@sinclair/typebox'
import type { OptionReader } from '../../contract/adapter.ts'
import type { OptionActor, OptionService } from '../../contract/options.ts'
import type { ClusterBus, Logger, LogService, SecretService } from '../../contract/services.ts'
import { checkBoundSecrets, EnteredSecrets } from './bound-secrets.ts'
import {
  type As,
  type ChangeGuard,
  changeLog,
  changeOf,
  type LockedSettings,
  type OptionTable,
  refuseChanged,
  type Shown,
} from './option-changes.ts'
import { checkPreconditions, type Definition, reasonOf, soundValue } from './option-check.ts'
import { definitionsOf, groupsOf, type OptionGroup, type OwnedOptions } from './option-groups.ts'
import { decodeOption, encodeOption, uiOf } from './option-codec.ts'
import { ownerOff, unknownKey } from './option-refusals.ts'
import { opens, readSealed } from './sealed.ts'
import { SecretSealing } from './secret-sealing.ts'
import { SerialQueue } from '../serial-queue.ts'
import { SharedRun } from '../shared-run.ts'

const TOPIC = 'option.changed'

interface Deps {
  table: OptionTable
  secrets: SecretService
  cluster: ClusterBus
  log: Logger
  now?: () => number
}

/** Options: strings on the wire and in the table, typed inside; secrets are encrypted and never returned. Long-lived; each generation passes its definitions. */
export class OptionStore implements OptionService {
  readonly #deps: Deps
  readonly #definitions = new Map<string, Definition>()
  #active = new Set<string>()
  /** Wire strings as stored, secrets sealed. */
  readonly #stored = new Map<string, string>()
  #values = new Map<string, unknown>()
  readonly #listeners = new Set<(key: string) => void>()
  readonly #reading = new SharedRun(() => this.#read())
  readonly #entered: EnteredSecrets
  readonly #sealing: SecretSealing
  readonly #changes = new SerialQueue()
  readonly #unsubscribe: () => void
  #guards: readonly ChangeGuard[] = []
  /** Set after construction, because the log's writer itself needs options. */
  logs: LogService | undefined

  constructor(deps: Deps) {
    this.#deps = deps
    this.#entered = new EnteredSecrets(deps.now ?? Date.now)
    this.#sealing = new SecretSealing(deps)
    const read = () => this.load()
    this.#unsubscribe = deps.cluster.subscribe(TOPIC, read, read)
  }

  /** Reads the table and reports what has changed. Stored values get into memory only here, so an outdated one cannot overwrite a newer one. */
  async load(): Promise<void> {
    await this.#reading.run()
    await this.#sealing.settled()
  }

  /** Call after something else has changed the table: updates this node and the others. */
  async readAnew(key: string): Promise<void> {
    await this.#deps.cluster.publish(TOPIC, { key })
    await this.load()
  }

  /** Replaces the set of options that can be written and listed; values of plugins that are off stay stored. */
  define(groups: readonly OwnedOptions[]): void {
    this.#active = new Set(this.prepare(groups))
    this.#sealSecrets()
  }

  /** Makes options readable before their generation serves, for the start of its plugins. Returns their keys. @throws if two have the same key */
  prepare(groups: readonly OwnedOptions[]): string[] {
    const prepared = definitionsOf(groups)
    for (const [key, definition] of prepared) this.#definitions.set(key, definition)
    this.#values.clear()
    return [...prepared.keys()]
  }

  /** Of the serving generation. */
  useGuards(guards: readonly ChangeGuard[]): void {
    this.#guards = guards
  }

  /** Who declared it, also when that plugin is off now. */
  ownerOf(key: string): string | undefined {
    return this.#definitions.get(key)?.owner
  }

  /** Options of plugins that may be off: while they are, the values stay stored and hidden and cannot be written. */
  reserve(groups: readonly OwnedOptions[]): void {
    for (const { owner, definitions: group } of groups) {
      for (const [key, schema] of Object.entries(group.schema.properties)) {
        if (!this.#definitions.has(key)) this.#definitions.set(key, { schema, owner, group })
      }
    }
  }

  /** The known options by owner, in the order of declaration. */
  groups(): OptionGroup[] {
    return groupsOf([...this.#active], this.#definitions)
  }

  get<T = unknown>(key: string): T {
    if (this.#values.has(key)) return this.#values.get(key) as T
    const value = this.#decode(key)
    this.#values.set(key, value)
    return value as T
  }

  schemaOf(key: string): TSchema | undefined {
    return this.#active.has(key) ? this.#definitions.get(key)?.schema : undefined
  }

  list(): { key: string; value: string }[] {
    return [...this.listedKeys()]
      .filter((key) => !this.isSecret(key))
      .sort((a, b) => (a < b ? -1 : 1))
      .map((key) => ({ key, value: this.#wire(key) }))
  }

  /** Options that are listed: those of plugins that are on, and those that nobody declares. */
  listedKeys(): Set<string> {
    const keys = [...this.#active, ...this.#stored.keys()]
    return new Set(keys.filter((key) => this.#active.has(key) || !this.#definitions.has(key)))
  }

  /** Stored values of listed options that the schema now refuses, each with the reason; readers get the default. */
  faults(language: 'en' | 'zh'): Record<string, string> {
    const faults: Record<string, string> = {}
    for (const key of this.#active) {
      if (this.isSecret(key)) continue
      const fault = this.#decoded(key).fault
      if (fault !== undefined) faults[key] = reasonOf(fault, language)
    }
    return faults
  }

  secretsSet(): string[] {
    return [...this.#stored]
      .filter(([key, value]) => value !== '' && this.isSecret(key))
      .map(([key]) => key)
      .sort()
  }

  set(key: string, value: string, actor?: OptionActor): Promise<void> {
    return this.setMany({ [key]: value }, actor)
  }

  /** Changes run one after the other: two that are valid alone may be invalid together. */
  setMany(values: Record<string, string>, actor?: OptionActor, shown: Shown = {}): Promise<void> {
    return this.#changes.run(() => this.#change(values, actor, shown))
  }

  async #change(
    values: Record<string, string>,
    actor: OptionActor | undefined,
    shown: Shown,
  ): Promise<void> {
    const checked = new Map(
      Object.entries(values).map(([key, value]) => [key, this.#checked(key, value)] as const),
    )
    this.#checkSecrets(checked, actor)
    await this.#write([...checked], actor, shown)
    if (actor && actor.id > 0) for (const key of checked.keys()) this.#logChange(key, actor)
  }

  /** The stored values with some options of one owner as typed in the form, for a trial. A stored secret is left out unless it would go where it was saved for.
   *  @throws options.unknown_key, options.invalid_value, options.secret_needed */
  tried(owner: string, typed: Record<string, string>, actor: OptionActor): OptionReader {
    const values = new Map<string, unknown>()
    for (const [key, wire] of Object.entries(typed)) {
      const definition = this.#active.has(key) ? this.#definitions.get(key) : undefined
      if (definition?.owner !== owner) throw unknownKey({ key })
      values.set(key, soundValue(key, wire, definition))
    }
    this.#checkSecrets(new Map(Object.entries(typed)), actor)
    return {
      get: <T>(key: string) => (values.has(key) ? (values.get(key) as T) : this.get<T>(key)),
    }
  }

  secretKeysOf(owner: string): string[] {
    return [...this.#definitions.keys()].filter(
      (key) => this.ownerOf(key) === owner && this.isSecret(key),
    )
  }

  #checkSecrets(changes: ReadonlyMap<string, string>, actor: OptionActor | undefined): void {
    checkBoundSecrets(changes, {
      wire: (key) => this.#wire(key),
      bound: [...this.#active].flatMap((key) => {
        const schema = this.#definitions.get(key)?.schema
        const hosts = schema && uiOf(schema).boundTo
        const sealed = this.#stored.get(key)
        if (!hosts || !sealed || this.#entered.knows(key, sealed, actor?.id)) return []
        return [{ secret: key, hosts }]
      }),
    })
  }

  #logChange(key: string, actor: OptionActor): void {
    this.#deps.log.info({ option: key, actor: actor.id }, 'option changed')
    this.logs?.write(changeLog(key, actor))
  }

  /** The default of a known option, as wire text. */
  defaultOf(key: string): string {
    return encodeOption(this.#definitions.get(key)?.schema.default ?? '')
  }

  onChange(listener: (key: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    this.#unsubscribe()
    this.#listeners.clear()
  }

  #checked(key: string, value: string): string {
    const known = this.#definitions.get(key)
    const definition = this.#active.has(key) ? known : undefined
    if (!definition) {
      if (known) throw ownerOff({ key, owner: known.owner }, { field: key })
      // An option that another gateway, or a missing plugin, has stored may be corrected; a new key would be a misspelt name.
      if (!this.#stored.has(key)) throw unknownKey({ key: key.slice(0, 80) }, { field: key })
      return value
    }
    const decoded = soundValue(key, value, definition)
    if (decoded === true) checkPreconditions(key, definition, (need) => this.get(need))
    return typeof decoded === 'object' ? value : encodeOption(decoded)
  }

  /** Also counts what another node has changed and this one has not heard of yet. */
  asStored<T>({ options }: LockedSettings, read: () => T): T {
    const news = options.filter(({ key, value }) => this.#stored.get(key) !== value)
    return this.#having(
      news.map(({ key, value }) => [key, this.#decoded(key, value).value]),
      read,
    )
  }

  #asIf<T>(changes: ReadonlyMap<string, string>, read: () => T): T {
    const decoded = [...changes].map(([key, wire]) => {
      const schema = this.#definitions.get(key)?.schema
      return [key, schema ? decodeOption(key, wire, schema) : wire] as const
    })
    return this.#having(decoded, read)
  }

  #having<T>(values: readonly (readonly [key: string, value: unknown])[], read: () => T): T {
    const before = this.#values
    this.#values = new Map([...before, ...values])
    try {
      return read()
    } finally {
      this.#values = before
    }
  }

  async #write(
    values: readonly (readonly [key: string, wire: string])[],
    actor: OptionActor | undefined,
    shown: Shown,
  ): Promise<void> {
    const rows = values.map(([key, wire]) => {
      const isSealed = this.isSecret(key) && wire !== ''
      const value = isSealed ? this.#deps.secrets.encrypt(wire) : wire
      if (isSealed && actor && actor.id > 0) this.#entered.note(key, value, actor.id)
      return { key, value }
    })
    const nowMs = (this.#deps.now ?? Date.now)()
    const note = (key: string, stored: string | undefined) => {
      const after = values.find(([name]) => name === key)?.[1] ?? ''
      const isSecret = this.isSecret(key)
      const before = this.#shownText(key, stored)
      if (!isSecret && before === after) return undefined
      return changeOf(key, { before, after, isSecret }, { actor, nowMs })
    }
    await this.#deps.table.write(rows, note, async (stored) => {
      refuseChanged(shown, (key) => (this.isSecret(key) ? undefined : this.#now(key, stored)))
      const changed: As = (read) => this.asStored(stored, () => this.#asIf(new Map(values), read))
      const as = { stored: <T>(read: () => T) => this.asStored(stored, read), changed }
      for (const guard of this.#guards) await guard(as, stored.pluginsOff)
    })
    for (const { key } of rows) await this.#deps.cluster.publish(TOPIC, { key })
    await this.load()
  }

  #now(key: string, { options }: LockedSettings): string {
    const stored = options.find((option) => option.key === key)?.value
    return this.#shownText(key, stored) ?? this.defaultOf(key)
  }

  /** The wire string of the stored value; nothing if it must not be shown. */
  #shownText(key: string, stored: string | undefined): string | undefined {
    if (stored === undefined) return this.defaultOf(key)
    return opens(this.#deps.secrets, stored) ? undefined : stored
  }

  async #read(): Promise<void> {
    const rows = await this.#deps.table.read()
    const before = new Map(this.#stored)
    this.#stored.clear()
    for (const { key, value } of rows) this.#stored.set(key, value)
    const keys = new Set([...before.keys(), ...this.#stored.keys()])
    const changed = [...keys].filter((key) => before.get(key) !== this.#stored.get(key))
    for (const key of changed) this.#values.delete(key)
    this.#sealSecrets()
    for (const key of changed) this.#callListeners(key)
  }

  #callListeners(key: string): void {
    for (const listener of this.#listeners) {
      try {
        listener(key)
      } catch (error) {
        this.#deps.log.error({ err: error, option: key }, 'an option listener failed')
      }
    }
  }

  /** An unknown option is a secret if it was one when it was written, or if its name suggests one. */
  isSecret(key: string): boolean {
    const definition = this.#definitions.get(key)
    if (definition) return uiOf(definition.schema).secret === true
    return (
      /(?:token|secret|key|password)$/i.test(key) ||
      opens(this.#deps.secrets, this.#stored.get(key) ?? '')
    )
  }

  #sealSecrets(): void {
    this.#sealing.seal(
      [...this.#active].filter((key) => this.isSecret(key)),
      this.#stored,
    )
  }

  #decode(key: string): unknown {
    const { value, fault } = this.#decoded(key)
    if (fault === undefined) return value
    // The schema refuses the stored value of an older version: the default applies until it is saved again.
    const facts = { err: fault, option: key }
    this.#deps.log.warn(facts, 'a stored option is not valid; its default is used')
    return value
  }

  #decoded(key: string, kept = this.#stored.get(key)): { value: unknown; fault?: unknown } {
    const definition = this.#definitions.get(key)
    const stored = this.#readable(key, kept)
    if (stored === undefined) return { value: definition?.schema.default ?? '' }
    const wire = this.isSecret(key) ? readSealed(key, stored, this.#deps) : stored
    if (!definition) return { value: wire }
    try {
      return { value: soundValue(key, wire, definition) }
    } catch (fault) {
      return { value: definition.schema.default, fault }
    }
  }

  /** The stored wire string; nothing if the option was a secret and no longer is: its value must be entered again. */
  #readable(key: string, stored = this.#stored.get(key)): string | undefined {
    return stored !== undefined && !this.isSecret(key) && opens(this.#deps.secrets, stored)
      ? undefined
      : stored
  }

  #wire(key: string): string {
    return this.#readable(key) ?? this.defaultOf(key)
  }
}
