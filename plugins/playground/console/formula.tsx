import { useEffect, useState } from 'react'

type Typeset = (formula: string, isDisplay: boolean) => string

let loaded: Typeset | undefined

/** A formula in TeX; its source until what typesets it has come, and where it is none. */
export function Formula({ text, isDisplay = false }: { text: string; isDisplay?: boolean }) {
  const typeset = useTypeset()
  const name = isDisplay ? 'formula formula-display' : 'formula'
  if (!typeset) return <code className={name}>{text}</code>
  return (
    <span
      className={name}
      // A wide one scrolls.
      tabIndex={isDisplay ? 0 : undefined}
      // Written by the typesetter, which takes neither HTML nor addresses from the formula.
      dangerouslySetInnerHTML={{ __html: typeset(text, isDisplay) }}
    />
  )
}

function useTypeset(): Typeset | undefined {
  const [typeset, setTypeset] = useState<Typeset | undefined>(() => loaded)
  useEffect(() => {
    if (loaded) return
    void import('./typeset.ts').then((module) => {
      loaded = module.typeset
      setTypeset(() => module.typeset)
    })
  }, [])
  return typeset
}
