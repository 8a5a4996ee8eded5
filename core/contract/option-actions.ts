// A button in a section of the settings page that tries the values in the form: a test mail, a request to a provider.
import type { OptionReader } from './adapter.ts'
import type { Text } from './errors.ts'

export interface OptionAction {
  id: string
  /** Text of the button. */
  label: Text
  /** One sentence below it. */
  hint?: Text
  /** The plugin's own options that are tried, with their values in the form, saved or not. The button appears in the section of the first. */
  options: readonly string[]
  /** One more input field beside the button. */
  input?: { label: Text; placeholder?: Text }
  /** `values`: the value in the form, else the stored one. A stored secret is included only while it would go to the host that it was saved for.
   *  It has twenty seconds; an AppError is shown as it is, and the plugin's secrets are removed from every answer. */
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
