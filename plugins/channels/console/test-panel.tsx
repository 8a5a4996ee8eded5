import { Alert, Button, Input } from '@arco-design/web-react'
import { useState } from 'react'
import {
  EmptyState,
  formatDuration,
  messageOf,
  runForEach,
  SidePanel,
  StatusTag,
  useAction,
  useTexts,
  splitList,
} from '#console'
import type { Channel } from './channel.ts'
import { enable, testChannel, waitsForTest } from './channel-calls.ts'

type Outcome =
  | { kind: 'running' }
  | { kind: 'passed'; seconds: number }
  | { kind: 'failed'; message: string }

/** Tests one channel, model by model. */
export function TestPanel({
  channel,
  onClose,
}: {
  channel: Channel | undefined
  onClose: (hasTested: boolean) => void
}) {
  const t = useTexts('channels')
  const { outcomes, test, hasTested } = useTests(channel)
  const [text, setText] = useState('')
  const models = splitList(channel?.models).filter((model) =>
    model.toLowerCase().includes(text.trim().toLowerCase()),
  )
  const [testAll, isTestingAll] = useAction(async () => {
    await runForEach(models, (model) => model, test)
  })
  return (
    <SidePanel
      title={t('test.title', { name: channel?.name })}
      isOpen={channel !== undefined}
      onClose={() => onClose(hasTested)}
    >
      <div className="channel-test-head">
        <Input
          value={text}
          onChange={setText}
          allowClear
          placeholder={t('test.search')}
          aria-label={t('test.search')}
        />
        <Button
          loading={isTestingAll}
          disabled={models.length === 0}
          onClick={() => void testAll()}
        >
          {t('test.all', { count: models.length })}
        </Button>
      </div>
      {channel && Object.values(outcomes).some(({ kind }) => kind === 'passed') ? (
        <Revival key={channel.id} channel={channel} />
      ) : null}
      {models.length === 0 ? <EmptyState title={t('test.none')} /> : null}
      <ul className="channel-tests">
        {models.map((model) => (
          <ModelTest
            key={model}
            model={model}
            isDefault={model === channel?.test_model}
            outcome={outcomes[model]}
            onTest={() => void test(model)}
          />
        ))}
      </ul>
    </SidePanel>
  )
}

/** Offers to enable a channel that the gateway had disabled, once one of its models has answered. */
function Revival({ channel }: { channel: Channel }) {
  const t = useTexts('channels')
  const [isDone, setDone] = useState(false)
  const [run, isRunning] = useAction(async () => {
    await enable(channel, t)
    setDone(true)
  })
  if (!waitsForTest(channel)) return null
  const button = (
    <Button type="primary" size="small" loading={isRunning} onClick={() => void run()}>
      {t('action.enable')}
    </Button>
  )
  return (
    <div className="channel-revival" role="status">
      <Alert
        type={isDone ? 'success' : 'warning'}
        content={isDone ? t('revival.done', { name: channel.name }) : t('revival.offer')}
        action={isDone ? null : button}
      />
    </div>
  )
}

function ModelTest({
  model,
  isDefault,
  outcome,
  onTest,
}: {
  model: string
  isDefault: boolean
  outcome: Outcome | undefined
  onTest(): void
}) {
  const t = useTexts('channels')
  return (
    <li>
      <div>
        <code>{model}</code>
        {isDefault ? <small>{t('test.default')}</small> : null}
        <Result outcome={outcome} />
      </div>
      <Button
        size="small"
        loading={outcome?.kind === 'running'}
        aria-label={t('test.one', { model })}
        onClick={onTest}
      >
        {t('action.test')}
      </Button>
    </li>
  )
}

function useTests(channel: Channel | undefined) {
  const [results, setResults] = useState<{ id: number; outcomes: Record<string, Outcome> }>()
  const outcomes = results && results.id === channel?.id ? results.outcomes : {}
  const test = async (model: string) => {
    if (!channel) return
    const { id } = channel
    const put = (outcome: Outcome) =>
      setResults((old) => ({
        id,
        outcomes: { ...(old?.id === id ? old.outcomes : {}), [model]: outcome },
      }))
    put({ kind: 'running' })
    try {
      put({ kind: 'passed', seconds: await testChannel(id, model) })
    } catch (error) {
      put({ kind: 'failed', message: messageOf(error) })
    }
  }
  return { outcomes, test, hasTested: Object.keys(outcomes).length > 0 }
}

function Result({ outcome }: { outcome: Outcome | undefined }) {
  if (!outcome || outcome.kind === 'running') return null
  if (outcome.kind === 'passed') {
    return <StatusTag tone="success">{formatDuration(outcome.seconds * 1000)}</StatusTag>
  }
  return (
    <p className="tone-danger" role="alert">
      {outcome.message}
    </p>
  )
}
