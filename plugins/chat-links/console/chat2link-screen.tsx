import { useEffect } from 'react'
import { Navigate } from 'react-router-dom'
import {
  chatLinksOf,
  chatTargetOf,
  ErrorState,
  serverAddressOf,
  useStatus,
  useTexts,
} from '#console'
import { linkWithSettings } from './link-with-settings.ts'
import { NoLinks, Redirecting } from './chat-screen.tsx'
import { useTokens } from './use-tokens.ts'
import './chat-links.css'

/** Leads to the operator's chat client, with a key and the address of the gateway in the fragment. */
export default function Chat2LinkScreen() {
  const t = useTexts('chat-links')
  const status = useStatus()
  const hasLink = status !== undefined && addressOf(status, '') !== undefined
  const hasApps = chatLinksOf(status?.chats).length > 0
  const { tokens, error, refresh } = useTokens(t, hasLink)
  const key = tokens[0]?.key
  const address = status && key !== undefined ? addressOf(status, key) : undefined
  useEffect(() => {
    if (address) window.location.assign(address)
  }, [address])
  if (error) return <ErrorState message={error.message} onRetry={() => void refresh()} />
  // An app is opened by a press only, on the screen of its link.
  if (status && !hasLink) return hasApps ? <Navigate to="/chat/0" replace /> : <NoLinks />
  return <Redirecting />
}

function addressOf(
  status: { chats: unknown; server_address: string; [field: string]: unknown },
  key: string,
): string | undefined {
  const server = serverAddressOf(status)
  const link = status['chat_link']
  if (typeof link === 'string' && link !== '') return linkWithSettings(link, server, key)
  const targets = chatLinksOf(status.chats).map(({ template }) =>
    chatTargetOf(template, server, key),
  )
  return targets.find((target) => target && target.kind !== 'app')?.address
}
