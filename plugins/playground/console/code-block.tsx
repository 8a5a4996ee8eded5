import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { CopyButton, useTexts } from '#console'

type Highlight = (code: string, language: string) => string | undefined

let loaded: Highlight | undefined

/** Longer ones would hold up the page at each piece that comes. */
const mostCharacters = 50_000

/** Code with its language, its colours and a button that copies it. */
export function CodeBlock({ code, language }: { code: string; language: string }) {
  const t = useTexts('playground')
  const highlight = useHighlight()
  const later = useDeferredValue(code)
  const html = useMemo(
    () => (later.length > mostCharacters ? undefined : highlight?.(later, language)),
    [highlight, later, language],
  )
  const name = language || t('code.plain')
  return (
    <figure className="code-block">
      <figcaption>
        <span>{name}</span>
        <CopyButton text={code} label={t('code.copy')} message={t('code.copied')} />
      </figcaption>
      <pre tabIndex={0} aria-label={t('code.label', { language: name })}>
        {html === undefined || later !== code ? (
          <code>{code}</code>
        ) : (
          // Written by the highlighter, which escapes the code.
          <code dangerouslySetInnerHTML={{ __html: html }} />
        )}
      </pre>
    </figure>
  )
}

function useHighlight(): Highlight | undefined {
  const [highlight, setHighlight] = useState<Highlight | undefined>(() => loaded)
  useEffect(() => {
    if (loaded) return
    void import('./highlight.ts').then((module) => {
      loaded = module.highlight
      setHighlight(() => module.highlight)
    })
  }, [])
  return highlight
}
