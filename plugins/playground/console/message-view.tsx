import { Button, Input, Spin } from '@arco-design/web-react'
import { IconCopy, IconDelete, IconEdit, IconRefresh } from '@arco-design/web-react/icon'
import { memo, useState } from 'react'
import {
  copyText,
  formatDuration,
  formatExact,
  IconButton,
  Quota,
  type Texts,
  useTexts,
} from '#console'
import { AnswerText } from './answer-text.tsx'
import { CodeBlock } from './code-block.tsx'
import { type Message, splitThinking, type ToolCall } from './message.ts'
import { Picture } from './picture.tsx'

export interface MessageTools {
  /** True while an answer is streaming; other actions are then disabled. */
  isBusy: boolean
  retry(id: number): void
  edit(id: number, text: string): void
  remove(id: number): void
}

interface Props {
  message: Message
  tools?: MessageTools
}

export const MessageView = memo(function MessageView({ message, tools }: Props) {
  const t = useTexts('playground')
  if (message.role === 'divider') {
    return (
      <li className="chat-divider">
        <span>{t('divider')}</span>
      </li>
    )
  }
  return (
    <li className={`chat-message chat-${message.role}`} data-status={message.status}>
      <span className="visually-hidden">{t(`role.${message.role}`)}</span>
      {message.role === 'user' ? (
        <Question message={message} tools={tools} />
      ) : (
        <Answer message={message} tools={tools} />
      )}
    </li>
  )
})

function Question({ message, tools }: Props) {
  const t = useTexts('playground')
  const [draft, setDraft] = useState<string>()
  if (draft !== undefined && tools) {
    const send = () => {
      setDraft(undefined)
      tools.edit(message.id, draft.trim())
    }
    return (
      <div className="chat-edit">
        <Input.TextArea
          autoFocus
          value={draft}
          onChange={setDraft}
          autoSize={{ minRows: 2, maxRows: 12 }}
          aria-label={t('edit.label')}
        />
        <div className="chat-edit-actions">
          <Button size="small" onClick={() => setDraft(undefined)}>
            {t('cancel')}
          </Button>
          <Button
            size="small"
            type="primary"
            disabled={draft.trim() === '' || tools.isBusy}
            onClick={send}
          >
            {t('edit.send')}
          </Button>
        </div>
      </div>
    )
  }
  return (
    <>
      <div className="chat-bubble">
        {message.images?.map((address) => (
          <Picture key={address} address={address} alt={t('picture.yours')} />
        ))}
        {message.content}
      </div>
      {tools ? (
        <div className="chat-tools">
          <CopyMessage text={message.content} t={t} />
          <IconButton
            size="mini"
            icon={<IconEdit />}
            label={t('action.edit')}
            disabled={tools.isBusy}
            onClick={() => setDraft(message.content)}
          />
          <Remove message={message} tools={tools} t={t} />
        </div>
      ) : null}
    </>
  )
}

function Answer({ message, tools }: Props) {
  const t = useTexts('playground')
  const { reasoning, answer } = splitThinking(message)
  const isWriting = message.status === 'loading' || message.status === 'incomplete'
  const isThinking = isWriting && reasoning !== '' && answer === ''
  return (
    <>
      {reasoning ? (
        <details className="chat-reasoning">
          <summary>{t(isThinking ? 'reasoning.now' : 'reasoning.title')}</summary>
          <AnswerText text={reasoning} />
        </details>
      ) : null}
      {answer ? <AnswerText text={answer} /> : null}
      {message.images?.map((address) => (
        <Picture key={address} address={address} />
      ))}
      {message.toolCalls?.map((call, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- calls are only added at the end
        <ToolCallView key={at} call={call} t={t} />
      ))}
      {message.status === 'loading' ? <Spin dot aria-label={t('status.loading')} /> : null}
      {message.status === 'error' ? (
        <p className="chat-error" role="alert">
          {message.error}
        </p>
      ) : null}
      {message.status === 'complete' && !answer && !reasoning && isBare(message) ? (
        <p className="muted">{t(message.isStopped ? 'status.nothingStopped' : 'status.nothing')}</p>
      ) : null}
      {tools && !isWriting ? (
        <div className="chat-tools">
          <CopyMessage text={answer} t={t} />
          <IconButton
            size="mini"
            icon={<IconRefresh />}
            label={t('action.retry')}
            disabled={tools.isBusy}
            onClick={() => tools.retry(message.id)}
          />
          <Remove message={message} tools={tools} t={t} />
          <Facts message={message} t={t} />
        </div>
      ) : null}
    </>
  )
}

function isBare({ images, toolCalls }: Message): boolean {
  return !images?.length && !toolCalls?.length
}

function ToolCallView({ call, t }: { call: ToolCall; t: Texts }) {
  return (
    <details className="chat-reasoning">
      <summary>
        {t('tool')} <code>{call.name}</code>
      </summary>
      <CodeBlock code={indented(call.arguments)} language="json" />
    </details>
  )
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

function CopyMessage({ text, t }: { text: string; t: Texts }) {
  return (
    <IconButton
      size="mini"
      icon={<IconCopy />}
      label={t('action.copy')}
      disabled={text === ''}
      onClick={() => void copyText(text)}
    />
  )
}

function Remove({ message, tools, t }: { message: Message; tools: MessageTools; t: Texts }) {
  return (
    <IconButton
      size="mini"
      icon={<IconDelete />}
      label={t('action.remove')}
      disabled={tools.isBusy}
      onClick={() => tools.remove(message.id)}
    />
  )
}

/** The cost and the duration of the turn. */
function Facts({ message, t }: { message: Message; t: Texts }) {
  const { model, firstMs, totalMs, receipt, isStopped } = message
  return (
    <ul className="chat-facts number">
      {isStopped ? <li>{t('status.stopped')}</li> : null}
      {model ? (
        <li>
          <code>{model}</code>
        </li>
      ) : null}
      {totalMs === undefined ? null : (
        <li
          title={
            firstMs === undefined ? undefined : t('facts.first', { time: formatDuration(firstMs) })
          }
        >
          {formatDuration(totalMs)}
        </li>
      )}
      {receipt ? (
        <>
          <li title={t('facts.tokens')}>
            {formatExact(receipt.prompt_tokens)} → {formatExact(receipt.completion_tokens)}
          </li>
          <li>
            <Quota units={receipt.quota} />
          </li>
        </>
      ) : null}
    </ul>
  )
}
