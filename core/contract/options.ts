// Options are strings on the wire and in the table, typed values in code. The TypeBox schema alone describes an option.
import type { Text } from './errors.ts'
import { Type, type Static, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'

/** `x-ui`, the only keyword of our own in option and settings schemas. */
export interface OptionUi {
  /** The label and the help of a setting of an adapter, which has no texts of its own. Those of a plugin's options are
   *  in its `locales`. */
  label?: Text
  help?: Text
  /** Encrypted at rest, never sent to the console. */
  secret?: boolean
  /** For a secret: the options that say where it is sent. While it is set, they can change only together with it. */
  boundTo?: readonly string[]
  /** For a channel's setting: it names a host that gets the channel's key, so it can change only together with the key. */
  host?: boolean
  /** Settings tab: operation, ratelimit, models, system, other, or a new one. Left out: the tab of plugins. */
  tab?: string
  /** Section inside the tab: one card with one button to save. Left out: one named after the plugin. */
  section?: string
  /** Position in the section, ascending, default 50; equal ones stay in the order of declaration. */
  order?: number
  /** The control, if the type does not determine it. */
  widget?: OptionWidget
  /** What a number counts: a key of the console's `units` (`minutes`, `seconds`, `percent` …); any other text is shown as it is. */
  unit?: string
  /** Values to choose with one click. */
  presets?: readonly (string | number)[]
  /** Address of a GET that returns names to choose from; other names may be typed. */
  choicesFrom?: string
  /** Shown only while these options have these values in the form; `true` also stands for any text. */
  showIf?: Readonly<Record<string, unknown>>
  /** Options that must have a value before the console saves this one. */
  needs?: readonly string[]
  /** The console asks before it is switched off, in the words of `optionConfirm.<key>`. */
  confirmOff?: boolean
  /** Offered by an empty JSON field; left out: the default. */
  example?: unknown
  /** A URL whose trailing slashes are removed on saving. */
  url?: boolean
  /** Stored and returned for older consoles, without effect: no form shows it. */
  hidden?: boolean
}

/** `textarea`: long text. `lines`: one entry per line. `tags`: entries separated by commas. `rich-text`: Markdown or HTML with
 *  a preview. `code`: monospaced text. `quota`: an amount of units, entered in the operator's display currency. `auto-switch`: on, off
 *  or, without a value, as the gateway thinks best; for an optional boolean among a channel's settings. */
export type OptionWidget =
  | 'textarea'
  | 'lines'
  | 'tags'
  | 'rich-text'
  | 'code'
  | 'quota'
  | 'auto-switch'

export interface OptionPrecondition {
  /** When this boolean option is switched to true … */
  key: string
  /** … these must be set. */
  needs: readonly string[]
}

export interface OptionDefinitions<T extends TProperties = TProperties> {
  schema: TObject<T>
  preconditions: readonly OptionPrecondition[]
  /** Checks beyond the schema; returns the message to show, or undefined. */
  check?: (key: string, value: unknown) => { en: string; zh: string } | undefined
}

export function defineOptions<T extends TProperties>(
  properties: T,
  extras: Partial<Omit<OptionDefinitions<T>, 'schema'>> = {},
): OptionDefinitions<T> {
  return { schema: Type.Object(properties), preconditions: [], ...extras }
}

export type OptionValues<D extends OptionDefinitions> = Static<D['schema']>

/** Reading of one group's options, typed by its schema. */
export interface TypedOptions<T extends TProperties> {
  get<K extends keyof T & string>(key: K): Static<T[K]>
}

/** Who changes an option; noted in its history. */
export interface OptionActor {
  id: number
  username: string
  /** Where the change came from; the host fills it for plugins. */
  origin?: string
}

/** The option store as plugins see it: any key by string, values typed by the caller. */
export interface OptionService {
  get<T = unknown>(key: string): T
  /** Validates, encrypts secrets, stores, then tells all nodes. `value` is the wire's string.
   *  @throws options.invalid_value, options.precondition, options.secret_needed */
  set(key: string, value: string, actor?: OptionActor): Promise<void>
  /** Changes all or none; needed to change an option together with the secret that is bound to it. `shown` are values as a page read them
   *  before they were edited there: if somebody has changed one of them since, nothing is written. @throws options.changed */
  setMany(
    values: Record<string, string>,
    actor?: OptionActor,
    shown?: Readonly<Record<string, string>>,
  ): Promise<void>
  /** All known options but secrets, wire strings, sorted by key. */
  list(): { key: string; value: string }[]
  secretsSet(): string[]
  /** Called after a change, on this and on every other node; returns the disposer. */
  onChange(listener: (key: string) => void): () => void
  schemaOf(key: string): TSchema | undefined
}

/** The value of an option that another plugin declares. @param otherwise the value while that plugin is off */
export function optionOr<T>(
  options: Pick<OptionService, 'get' | 'schemaOf'>,
  key: string,
  otherwise: T,
): T {
  return options.schemaOf(key) === undefined ? otherwise : options.get<T>(key)
}

/** The record of a change of an option. */
export interface OptionChange {
  key: string
  /** Unix seconds. */
  changed_at: number
  /** 0: not a user; see `origin`. */
  user_id: number
  username: string
  /** Where it came from: `loopback`, `private`, `public` (the kind of address), `terminal`, `plugin:<id>`, `gateway`. */
  origin: string
  is_secret: boolean
  /** Wire strings, shortened in the list if they are long; null for a secret or a value too long to store. */
  old_value: string | null
  new_value: string | null
  /** Length of the whole value in characters; 0 for a secret. */
  old_size: number
  new_size: number
}

/** A row of `GET /api/option/history`. */
export interface ShownOptionChange extends OptionChange {
  id: number
  /** Whether the value after the change, and the one before it, can be restored. */
  can_restore: boolean
  can_restore_old: boolean
}
