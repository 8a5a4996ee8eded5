// A button in a section of the settings page that tries what is typed there: a test mail, a look at a provider's configuration.
import type { OptionReader } from './adapter.ts'
import type { Text } from './errors.ts'

export interface OptionAction {
  id: string
  /** On the button. */
  label: Text
  /** One sentence below it. */
  hint?: Text
  /** The plugin's own options that are tried: what is typed in the form comes along, saved or not. The button stands in the section of the first. */
  options: readonly string[]
  /** Something more to type, beside the button. */
  input?: { label: Text; placeholder?: Text }
  /** `values`: what is typed, else what is stored. A stored secret comes along only while it would go to the host that it was saved for. It has
   *  twenty seconds; an AppError is shown as it is, and no secret of the plugin in any answer. */
  run(
    values: OptionReader,
    context: OptionActionContext,
  ): OptionActionResult | Promise<OptionActionResult>
}

export interface OptionActionContext {
  userId: number
  language: 'en' | 'zh'
  /** Trimmed; empty when nothing was typed. */
  input: string
  /** Aborts at the deadline. */
  signal: AbortSignal
}

export interface OptionActionResult {
  ok: boolean
  message: Text
  /** Facts below the message, at most twenty. */
  details?: readonly { label: Text; value: string }[]
}
