import { Button } from '@arco-design/web-react'
import { IconLaunch } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import {
  chatLinksOf,
  type ChatTarget,
  chatTargetOf,
  EmptyState,
  ErrorState,
  Frame,
  Loading,
  type OwnToken,
  Select,
  serverAddressOf,
  useCanVisit,
  useStatus,
  useTexts,
} from '#console'
import { useTokens } from './use-tokens.ts'
import './chat-links.css'

const toSettings = '/setting?tab=operation#chats'

export default function ChatScreen() {
  const t = useTexts('chat-links')
  const { id = '0' } = useParams()
  const status = useStatus()
  const [tokenId, setTokenId] = useState<number>()
  const links = chatLinksOf(status?.chats)
  const link = links[Number(id)]
  const { tokens, error, refresh } = useTokens(t, link !== undefined)
  if (status && !Array.isArray(status.chats)) return <ErrorState message={t('unreadable')} />
  if (status && links.length === 0) return <NoLinks />
  if (status && !link) return <BadLink />
  if (error) return <ErrorState message={error.message} onRetry={() => void refresh()} />
  const token = tokens.find((entry) => entry.id === tokenId) ?? tokens[0]
  if (!link || !token) return <Redirecting />
  const target = chatTargetOf(link.template, serverAddressOf(status), token.key)
  if (!target) return <BadLink />
  return (
    <div className="chat-link">
      <header className="chat-link-head">
        <h1>{link.name}</h1>
        <span className="chat-link-host">
          {target.kind === 'app' ? target.scheme : target.host}
        </span>
        <TokenChoice tokens={tokens} token={token} onChoose={setTokenId} />
        {target.kind === 'frame' ? (
          <Button icon={<IconLaunch />} onClick={() => openOutside(target)}>
            {t('openTab')}
          </Button>
        ) : null}
      </header>
      {target.kind === 'frame' ? (
        <Frame
          key={target.address}
          address={target.address}
          title={link.name}
          allow="camera; microphone"
        />
      ) : (
        <Outside target={target} />
      )}
    </div>
  )
}

function BadLink() {
  const t = useTexts('chat-links')
  const canSet = useCanVisit('/setting')
  if (!canSet) return <ErrorState message={t('badLinkAsk')} />
  const way = <Link to={toSettings}>{t('toSettings')}</Link>
  return (
    <ErrorState
      message={
        <>
          {t('badLink')} {way}
        </>
      }
    />
  )
}

export function NoLinks() {
  const t = useTexts('chat-links')
  const canSet = useCanVisit('/setting')
  const canChat = useCanVisit('/playground')
  const way = canSet
    ? { to: toSettings, words: t('toSettings') }
    : canChat && { to: '/playground', words: t('toPlayground') }
  return (
    <EmptyState
      isPage
      title={t('noLinks')}
      hint={t(canSet ? 'noLinksHint' : 'noLinksAsk')}
      action={
        way ? (
          <Link className="button-link" to={way.to}>
            {way.words}
          </Link>
        ) : null
      }
    />
  )
}

function TokenChoice({
  tokens,
  token,
  onChoose,
}: {
  tokens: readonly OwnToken[]
  token: OwnToken
  onChoose(id: number): void
}) {
  const t = useTexts('chat-links')
  return (
    <Select<number>
      className="chat-link-token"
      label={t('token')}
      prefix={t('token')}
      value={token.id}
      onChange={onChoose}
      choices={tokens.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}

/** A page that cannot be framed is opened on request, and its address is shown before. */
function Outside({ target }: { target: ChatTarget }) {
  const t = useTexts('chat-links')
  const isApp = target.kind === 'app'
  return (
    <EmptyState
      title={isApp ? t('app.title', { scheme: target.scheme }) : t('page.title')}
      hint={t(isApp ? 'app.hint' : 'page.hint')}
      action={
        <Button type="primary" onClick={() => openOutside(target)}>
          {t(isApp ? 'app.open' : 'openTab')}
        </Button>
      }
    />
  )
}

function openOutside({ kind, address }: ChatTarget): void {
  if (kind === 'app') window.location.assign(address)
  else window.open(address, '_blank', 'noopener,noreferrer')
}

export function Redirecting() {
  const t = useTexts('chat-links')
  return (
    <div className="chat-link-wait">
      <Loading />
      <p>{t('redirecting')}</p>
    </div>
  )
}
