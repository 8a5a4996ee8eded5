import { isObject, type JsonObject, type Usage } from '#core'
import { readOpenaiUsage } from '#adapter-kit'

/** Dify wraps thoughts in a folded block of HTML; its marks come as pieces of their own. */
export function withThinkMarks(text: string): string {
  if (text.trim() === '</details>') return '</think>'
  return text.replace(
    /^<details[^>]*>\s*<summary>\s*Thinking\.\.\.\s*<\/summary>\s*(?:\n|$)/,
    '<think>',
  )
}

export function usageIn({ metadata }: JsonObject): Usage | undefined {
  return isObject(metadata) ? readOpenaiUsage(metadata.usage) : undefined
}

/** The answer of a workflow: its only text, else the one with a usual name. */
export function textOfOutputs(outputs: unknown): string {
  if (!isObject(outputs)) return ''
  const texts = Object.values(outputs).filter((value) => typeof value === 'string')
  if (texts.length === 1) return texts[0] ?? ''
  const named = [outputs.text, outputs.answer, outputs.result]
  return named.find((value) => typeof value === 'string') ?? JSON.stringify(outputs)
}

/** The failure of a workflow; undefined if there is none. */
export function workflowFault({ data }: JsonObject): string | undefined {
  if (!isObject(data) || data.status !== 'failed') return undefined
  return typeof data.error === 'string' && data.error !== '' ? data.error : 'The workflow failed.'
}

/** What a form of a paused run says, if it is shown to who called: one without a token goes to somebody else, by e-mail. */
export function formText(form: unknown): string {
  if (!isObject(form) || typeof form.form_token !== 'string') return ''
  return typeof form.form_content === 'string' ? form.form_content : ''
}
