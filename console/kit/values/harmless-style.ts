/** Style properties that are kept: appearance, and sizes in the flow of the page, but nothing that moves an element
 *  out of its place. */
const harmless =
  /^(?:color|background-color|opacity|display|gap|row-gap|column-gap|vertical-align|white-space|word-break|line-height|letter-spacing|(?:min-|max-)?(?:width|height)|(?:font|text|list-style|border|padding|margin|flex|justify|align|object)(?:-[a-z-]+)?)$/
const colours = /\b(?:rgb|hsl)a?\([\d\s.,%/deg]*\)/g

/** No addresses and no calculations. A negative margin would overlap the neighbours. */
function isHarmless(name: string, value: string): boolean {
  if (!harmless.test(name) || name === 'text-indent') return false
  const rest = value.replace(colours, '')
  return !rest.includes('(') && !(name.startsWith('margin') && rest.includes('-'))
}

/** The declarations of a style attribute that are kept, as text. */
export function harmlessStyle(style: CSSStyleDeclaration): string {
  return Array.from(style)
    .map((name) => [name, style.getPropertyValue(name)] as const)
    .filter(([name, value]) => isHarmless(name, value))
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ')
}
