import { Spin } from '@arco-design/web-react'
import { IconRefresh } from '@arco-design/web-react/icon'
import { memo } from 'react'
import { formatDuration, formatExact, IconButton, Quota, type Texts, useTexts } from '#console'
import { AnswerText } from './answer-text.tsx'
import { CodeBlock } from './code-block.tsx'
import { type Message, splitThinking, type ToolCall } from './message.ts'
import { CopyMessage, type MessageProps, RemoveMessage } from './message-tools.tsx'
import { Picture } from './picture.tsx'
import { Question } from './question.tsx'

export const MessageView = memo(function MessageView({ message, tools }: MessageProps) {
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

function Answer({ message, tools }: MessageProps) {
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
          <RemoveMessage message={message} tools={tools} t={t} />
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
