// What looks like personal data. Patterns are bounded: they take time in proportion to the text.
export const kinds = ['email', 'phone', 'card', 'iban'] as const
export type Kind = (typeof kinds)[number]

export function isKind(word: string): word is Kind {
  return kinds.some((kind) => kind === word)
}

interface Finder {
  kind: Kind
  pattern: RegExp
  isReal(text: string): boolean
}

/** In the order in which they are looked for: what one has taken, the next does not see. */
const finders: readonly Finder[] = [
  {
    kind: 'email',
    pattern: /[\w.%+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,4}/gi,
    isReal: () => true,
  },
  { kind: 'iban', pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}\b/g, isReal: isIban },
  { kind: 'card', pattern: /\b\d(?:[ -]?\d){12,18}\b/g, isReal: isCard },
  { kind: 'phone', pattern: /\+\d(?:[ ()-]?\d){7,14}\b/g, isReal: () => true },
]

/** The text with `markFor` in the place of each find. */
export function replaceFinds(
  text: string,
  wanted: ReadonlySet<Kind>,
  markFor: (kind: Kind, found: string) => string,
): string {
  let result = text
  for (const { kind, pattern, isReal } of finders)
    if (wanted.has(kind))
      result = result.replaceAll(pattern, (found) => (isReal(found) ? markFor(kind, found) : found))
  return result
}

/** Luhn, ISO/IEC 7812-1. */
function isCard(text: string): boolean {
  let sum = 0
  const digits = text.replaceAll(/\D/g, '')
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits.at(-1 - place))
    const doubled = digit * 2
    sum += place % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** ISO 13616: the remainder by 97 of the number that the letters make. */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  let rest = 0
  for (const letter of plain.slice(4) + plain.slice(0, 4))
    rest = Number(`${rest}${Number.parseInt(letter, 36)}`) % 97
  return rest === 1
}
