// Formulas; loaded when the first one is on the screen.
import katex from 'katex'
import 'katex/dist/katex.min.css'

/** Sizes in em: nothing covers the page. */
const mostEm = 20

/** HTML for eyes and MathML for ears; the source in red where it is no formula. */
export function typeset(formula: string, isDisplay: boolean): string {
  return katex.renderToString(formula, {
    displayMode: isDisplay,
    throwOnError: false,
    strict: 'ignore',
    trust: false,
    maxSize: mostEm,
    errorColor: 'var(--danger-ink)',
  })
}
