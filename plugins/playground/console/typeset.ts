// Formula typesetting; loaded when the first formula is shown.
import katex from 'katex'
import 'katex/dist/katex.min.css'

/** In em. Limited, so that a formula cannot cover the page. */
const mostEm = 20

/** HTML for display and MathML for screen readers; the source in red if it is not a valid formula. */
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
