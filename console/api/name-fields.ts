// Refusals of the server call fields as programs do; people know them by their labels.

/** Values of a refusal that may name a field of the page. */
const naming = ['field', 'key', 'needs'] as const

/** The sentence of a refusal with the labels of the fields that it names, as far as the page shows them. */
export function nameFields(
  message: string,
  values: Readonly<Record<string, unknown>> = {},
): string {
  const names = naming.map((kind) => values[kind]).filter((name) => typeof name === 'string')
  return names.reduce(nameField, message)
}

function nameField(message: string, name: string): string {
  const label = labelOf(name)
  const [whole, part] = name.split('.')
  // `setting: proxy must be …` of the field `setting.proxy`.
  const start = [`${whole}: `, `${whole}：`].find((words) => message.startsWith(words))
  if (!label && part && start && labelOf(part)) return nameField(message.slice(start.length), part)
  const brackets = [` (${name})`, `（${name}）`]
  const aside = brackets.find((bracketed) => message.includes(bracketed))
  // Without its label it tells a person nothing.
  if (aside) return message.replace(aside, label ? aside.replace(name, label) : '')
  if (!label) return message
  return withoutGaps(
    message.replaceAll(/\w+(?:\.\w+)*/g, (word, at: number) =>
      word === name && (at === 0 || isTechnical(name)) ? `“${label}”` : word,
    ),
  )
}

/** Other names are words of the sentence, too: "name", "key". */
function isTechnical(name: string): boolean {
  return /[A-Z_.]/.test(name)
}

/** Chinese has spaces around Latin words only. */
function withoutGaps(sentence: string): string {
  return sentence.replaceAll(/(?<=\p{sc=Han}) (?=“)|(?<=”) (?=\p{sc=Han})/gu, '')
}

/** Of several forms, the topmost is the last in the page. */
function labelOf(name: string): string | undefined {
  const id = `${name}_input`
  const label = [...document.querySelectorAll('label')].findLast(
    ({ htmlFor, parentElement }) =>
      htmlFor === id || htmlFor.endsWith(`-${id}`) || parentElement?.dataset['option'] === name,
  )
  // The star marks a required field.
  return label?.textContent.replace(/ \*$/, '').trim() || undefined
}
