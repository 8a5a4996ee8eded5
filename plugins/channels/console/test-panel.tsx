import { Alert, Button, Input } from '@arco-design/web-react'
import { useEffect, useRef, useState } from 'react'
import {
  ApiError,
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

type Outcomes = Readonly<Record<string, Outcome | undefined>>

/** Tests one channel, model by model. */
export function TestPanel({
  channel,
  onClose,
}: {
  channel: Channel | undefined
  onClose: (hasTested: boolean) => void
}) {
  const t = useTexts('channels')
  const { outcomes, test, hasTested, testAll, stop, isTestingAll, waitSeconds } = useTests(channel)
  const [text, setText] = useState('')
  const models = splitList(channel?.models).filter((model) =>
    model.toLowerCase().includes(text.trim().toLowerCase()),
  )
  const own = useTexts()
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
          onClick={() => void testAll(models)}
        >
          {t('test.all', { count: models.length })}
        </Button>
        {isTestingAll ? <Button onClick={stop}>{own('bulk.stop')}</Button> : null}
      </div>
      {isTestingAll && waitSeconds !== undefined ? (
        <p className="muted" role="status">
          {own('bulk.waiting', { seconds: waitSeconds })}
        </p>
      ) : null}
      {channel && Object.values(outcomes).some((outcome) => outcome?.kind === 'passed') ? (
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

/** What is begun for a channel ends with its panel. */
function useTests(channel: Channel | undefined) {
  const id = channel?.id
  const [results, setResults] = useState<{ id: number; outcomes: Outcomes }>()
  const [waitSeconds, setWaitSeconds] = useState<number>()
  const stopping = useRef<AbortController>(undefined)
  if (id !== undefined && results?.id !== id) setResults({ id, outcomes: {} })
  const outcomes = results && results.id === id ? results.outcomes : {}
  const stop = () => stopping.current?.abort()
  useEffect(() => {
    if (id === undefined) return undefined
    return () => stopping.current?.abort()
  }, [id])
  const run = async (model: string, signal?: AbortSignal) => {
    if (id === undefined) return
    // Of a panel that is closed by then it may be late.
    const put = (outcome: Outcome | undefined) =>
      setResults((old) =>
        old?.id === id ? { id, outcomes: { ...old.outcomes, [model]: outcome } } : old,
      )
    put({ kind: 'running' })
    try {
      put({ kind: 'passed', seconds: await testChannel(id, model, signal) })
    } catch (error) {
      const isToCome = signal && (signal.aborted || isOverLimit(error))
      put(isToCome ? undefined : { kind: 'failed', message: messageOf(error) })
      if (isToCome) throw error
    }
  }
  const [testAll, isTestingAll] = useAction(async (models: readonly string[]) => {
    const { signal } = (stopping.current = new AbortController())
    const test = (model: string) => run(model, signal)
    await runForEach(models, (model) => model, test, undefined, { signal, onWait: setWaitSeconds })
  })
  const test = (model: string) => run(model)
  const hasTested = Object.values(outcomes).some((outcome) => outcome !== undefined)
  return { outcomes, test, hasTested, testAll, stop, isTestingAll, waitSeconds }
}

/** A call too many for the gateway's limit is no failure of the channel: `runForEach` waits and asks again. */
function isOverLimit(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429
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
