import { Button } from '@arco-design/web-react'
import { IconImage } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTexts } from '#console'
import { isPicture } from './message.ts'

/**
 * A picture of an answer. One from elsewhere is fetched only when asked for: an address that a model wrote can carry
 * words of the conversation to whoever owns it.
 */
export function Picture({ address, alt = '' }: { address: string; alt?: string }) {
  const t = useTexts('playground')
  const isHere = address.startsWith('data:')
  const [isWanted, setWanted] = useState(isHere)
  if (!isPicture(address)) return <span className="muted">{alt}</span>
  if (!isWanted) {
    return (
      <Button icon={<IconImage />} onClick={() => setWanted(true)}>
        {t('picture.show', { host: new URL(address).host })}
      </Button>
    )
  }
  const picture = <img src={address} alt={alt || t('picture.alt')} referrerPolicy="no-referrer" />
  return isHere ? (
    <button type="button" className="picture" onClick={() => openData(address)}>
      {picture}
    </button>
  ) : (
    <a href={address} target="_blank" rel="noopener noreferrer" className="picture">
      {picture}
    </a>
  )
}

/** A browser opens no `data:` address in a tab; the same bytes under an address of this page it does. */
function openData(address: string): void {
  const [head = '', bytes = ''] = address.split(',')
  const type = head.slice('data:'.length).replace(/;base64$/i, '')
  const blob = new Blob([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], { type })
  window.open(URL.createObjectURL(blob), '_blank', 'noopener,noreferrer')
}
