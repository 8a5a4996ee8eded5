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
  const [isWanted, setWanted] = useState(address.startsWith('data:'))
  if (!isPicture(address)) return <span className="muted">{alt}</span>
  if (!isWanted) {
    return (
      <Button icon={<IconImage />} onClick={() => setWanted(true)}>
        {t('picture.show', { host: new URL(address).host })}
      </Button>
    )
  }
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" className="picture">
      <img src={address} alt={alt || t('picture.alt')} referrerPolicy="no-referrer" />
    </a>
  )
}
