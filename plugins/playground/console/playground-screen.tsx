import { Alert, Button } from '@arco-design/web-react'
import { IconDown, IconEraser, IconPlus, IconSettings } from '@arco-design/web-react/icon'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import {
  confirm,
  EmptyBalance,
  IconButton,
  ModelMark,
  SidePanel,
  useIsNarrow,
  useSession,
  useTexts,
} from '#console'
import { useChat } from './chat-store.ts'
import { Composer } from './composer.tsx'
import type { Message } from './message.ts'
import { MessageView } from './message-view.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { useFollow } from './use-follow.ts'
import { useSettings } from './use-settings.ts'
import './playground.css'

export default function PlaygroundScreen() {
  const t = useTexts('playground')
  const isNarrow = useIsNarrow()
  const userId = useSession(({ user }) => user?.id)
  const { settings, change, offer } = useSettings(t)
  const [isPanelOpen, setPanelOpen] = useState(false)
  const chat = useChat()
  useEffect(() => {
    if (userId !== undefined) useChat.getState().open(userId)
  }, [userId])
  const panel = <SettingsPanel settings={settings} offer={offer} onChange={change} />
  return (
    <div className="playground">
      {isNarrow ? (
        <SidePanel
          title={t('settings.title')}
          isOpen={isPanelOpen}
          onClose={() => setPanelOpen(false)}
        >
          {panel}
        </SidePanel>
      ) : (
        <aside className="playground-panel" aria-label={t('settings.title')}>
          {panel}
        </aside>
      )}
      <section className="playground-chat" aria-label={t('title')}>
        <Head model={settings.model}>
          {isNarrow ? (
            <IconButton
              icon={<IconSettings />}
              label={t('settings.title')}
              aria-expanded={isPanelOpen}
              onClick={() => setPanelOpen(true)}
            />
          ) : null}
        </Head>
        <Expired />
        <EmptyBalance />
        <Messages settings={settings} />
        <Composer
          key={userId}
          userId={userId ?? 0}
          isRunning={chat.isRunning}
          isReady={settings.model !== ''}
          hindrance={hindranceOf(offer, settings.model, t)}
          onRetry={offer.error === undefined ? undefined : offer.retry}
          onSend={(text, images) => void chat.send(text, images, settings)}
          onStop={chat.stop}
        />
      </section>
    </div>
  )
}

/** Model and group, and the buttons that begin a new conversation. */
function Head({ model, children }: { model: string; children: ReactNode }) {
  const t = useTexts('playground')
  const chat = useChat()
  const startAnew = async () => {
    const isSure = await confirm(() => ({
      title: t('new.title'),
      content: t('new.text'),
      confirmLabel: t('new.confirm'),
      isDanger: true,
    }))
    if (isSure) chat.clear()
  }
  return (
    <header className="playground-head">
      <h1>{t('title')}</h1>
      {model ? <ModelMark model={model} size="small" /> : null}
      <span className="playground-model">{model}</span>
      <IconButton
        icon={<IconEraser />}
        label={t('action.clearContext')}
        disabled={chat.isRunning || chat.messages.length === 0}
        onClick={chat.clearContext}
      />
      <IconButton
        icon={<IconPlus />}
        label={t('action.new')}
        disabled={chat.messages.length === 0}
        onClick={() => void startAnew()}
      />
      {children}
    </header>
  )
}

type SettingsView = ReturnType<typeof useSettings>

function hindranceOf(
  { isLoading, error }: SettingsView['offer'],
  model: string,
  t: ReturnType<typeof useTexts>,
): string | undefined {
  if (isLoading || model) return undefined
  return error ?? t('noModel')
}

/** Other consoles for this API redirect here with `?expired=true` after a refused call. */
function Expired() {
  const t = useTexts('playground')
  const [search] = useSearchParams()
  if (!search.get('expired')) return null
  return <Alert type="error" content={t('expired')} />
}

function Messages({ settings }: Pick<SettingsView, 'settings'>) {
  const t = useTexts('playground')
  const { messages, isRunning } = useChat()
  const { box, isAtEnd, toEnd } = useFollow()
  const tools = useMemo(() => {
    const { retry, edit, remove } = useChat.getState()
    return {
      isBusy: isRunning,
      retry: (id: number) => void retry(id, settings),
      edit: (id: number, text: string) => void edit(id, text, settings),
      remove,
    }
    // The settings are a new object on each render, so their serialized form is compared.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isRunning, JSON.stringify(settings)])
  const last = messages.at(-1)
  useEffect(() => {
    // After a question the view follows the answer.
    if (last?.status === 'loading') toEnd()
  }, [last?.id, last?.status, toEnd])
  return (
    <div className="playground-scroll-frame">
      <div className="playground-scroll" ref={box} tabIndex={0} role="log" aria-live="off">
        <ol className="chat">
          {greeting(t).map((message) => (
            <MessageView key={message.id} message={message} />
          ))}
          {messages.map((message) => (
            <MessageView key={message.id} message={message} tools={tools} />
          ))}
        </ol>
      </div>
      {isAtEnd ? null : (
        <Button className="to-end" shape="round" icon={<IconDown />} onClick={toEnd}>
          {t('action.toEnd')}
        </Button>
      )}
      <span className="visually-hidden" role="status">
        {last?.role === 'assistant' ? t(`status.${last.status}`) : ''}
      </span>
    </div>
  )
}

/** The greeting at the start of every conversation; it is not sent. */
function greeting(t: ReturnType<typeof useTexts>): Message[] {
  return [
    { id: 2, role: 'user', content: t('greeting.question'), status: 'complete' },
    { id: 3, role: 'assistant', content: t('greeting.answer'), status: 'complete' },
  ]
}
