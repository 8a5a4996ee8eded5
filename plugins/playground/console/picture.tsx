import { Button } from '@arco-design/web-react'
import { IconImage } from '@arco-design/web-react/icon'
import { type ReactNode, useState } from 'react'
import { useTexts } from '#console'
import { isPicture, isPlainWeb } from './message.ts'

interface PictureProps {
  address: string
  alt?: string | undefined
}

/**
 * A picture of an answer. Pictures from other servers are loaded only on request, because a URL written by a model can
 * leak parts of the conversation to the owner of that server.
 */
export function Picture({ address, alt = '' }: PictureProps) {
  const t = useTexts('playground')
  const [isWanted, setWanted] = useState(false)
  const [isBroken, setBroken] = useState(false)
  // The content security policy allows https only; a separate tab has no such limit.
  if (isPlainWeb(address))
    return (
      <NotShown address={address} alt={alt} why={t('picture.plain', { host: hostOf(address) })} />
    )
  if (!isPicture(address)) return <NotShown alt={alt} why={t('picture.nowhere')} />
  const isHere = address.startsWith('data:')
  if (isBroken)
    return isHere ? (
      <NotShown alt={alt} why={t('picture.brokenData')} />
    ) : (
      <NotShown address={address} alt={alt} why={t('picture.broken', { host: hostOf(address) })} />
    )
  if (!isHere && !isWanted) {
    return (
      <Button icon={<IconImage />} onClick={() => setWanted(true)}>
        {t('picture.show', { host: hostOf(address) })}
      </Button>
    )
  }
  return (
    <Opening address={address}>
      <img
        src={address}
        alt={alt || t('picture.alt')}
        referrerPolicy="no-referrer"
        onError={() => setBroken(true)}
      />
    </Opening>
  )
}

/** Placeholder for a picture that the page cannot show: gives the reason, and a link if possible. */
function NotShown({ address, alt, why }: { address?: string; alt: string; why: string }) {
  const t = useTexts('playground')
  return (
    <span className="picture-missing">
      <IconImage aria-hidden />
      <span>
        {alt ? `${alt}: ` : ''}
        {why}{' '}
        {address === undefined ? null : (
          <a href={address} target="_blank" rel="noopener noreferrer">
            {t('picture.open')}
          </a>
        )}
      </span>
    </span>
  )
}

function Opening({ address, children }: { address: string; children: ReactNode }) {
  return address.startsWith('data:') ? (
    <button type="button" className="picture" onClick={() => openData(address)}>
      {children}
    </button>
  ) : (
    <a href={address} target="_blank" rel="noopener noreferrer" className="picture">
      {children}
    </a>
  )
}

function hostOf(address: string): string {
  return new URL(address).host
}

/** Browsers refuse to open `data:` URLs in a tab, but open a `blob:` URL with the same bytes. */
function openData(address: string): void {
  const [head = '', bytes = ''] = address.split(',')
  const type = head.slice('data:'.length).replace(/;base64$/i, '')
  const blob = new Blob([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], { type })
  window.open(URL.createObjectURL(blob), '_blank', 'noopener,noreferrer')
}
