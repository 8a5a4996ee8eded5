import { Button } from '@arco-design/web-react'
import { IconClose } from '@arco-design/web-react/icon'
import { useEffect, useRef, useState } from 'react'
import { callerId } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatExact } from '../../format/quota.ts'
import { useSession } from '../../stores/session.ts'
import { type Texts, useTexts } from '../../texts/use-texts.ts'
import { type ConfirmOptions, confirm } from '../confirm.tsx'
import { IconButton } from '../icon-button.tsx'
import { toast } from '../toast.ts'
import { type Failure, runForEach } from './run-for-each.ts'

/** Something that can be done with all ticked rows. */
export interface BulkAction<T> {
  /** A verb. */
  label: string
  isDanger?: boolean
  /** The question to ask first. */
  confirm?: (rows: readonly T[]) => ConfirmOptions
  /** Either one call for all rows; a sentence that it resolves to is shown. False: nothing was changed, and the rows stay ticked. */
  run?: (rows: readonly T[]) => Promise<string | void | false>
  /** Or one call per row, a few at a time, which can be stopped. Failures are listed by name. */
  runEach?: (row: T) => Promise<unknown>
}

/** The most names that a question lists. */
const namedAtMost = 10

const whole = { failed: [], isStopped: false }

/** For changes that cannot be undone: names the rows, and asks to type the number of more than one. */
function askedOfRows(question: ConfirmOptions, names: readonly string[], t: Texts): ConfirmOptions {
  const [only = ''] = names.length === 1 ? names : []
  if (only && question.title.includes(only)) return question
  const rest = names.length - namedAtMost
  const number = only ? undefined : String(names.length)
  return {
    ...question,
    typeToConfirm: question.typeToConfirm ?? number,
    content: (
      <>
        {question.content}
        <ul className="dialog-names">
          {names.slice(0, namedAtMost).map((name, at) => (
            <li key={at}>{name}</li>
          ))}
        </ul>
        {rest > 0 ? <p className="muted">{t('bulk.rest', { count: formatExact(rest) })}</p> : null}
      </>
    ),
  }
}

interface BulkBarProps<T> {
  rows: readonly T[]
  actions: readonly BulkAction<T>[]
  nameOf: (row: T) => string
  onClear(): void
  onDone(): Promise<unknown> | void
}

/** Slides in above the table when rows are ticked: how many, the actions, and which rows failed. */
export function BulkBar<T>(props: BulkBarProps<T>) {
  const { rows, actions } = props
  const t = useTexts()
  const { run, stop, isRunning, progress, failures, clear } = useBulkRun(props)
  if (rows.length === 0 && failures.length === 0 && !progress) return null
  return (
    <div className="bulk-bar" role="region" aria-label={t('bulk.region')}>
      <div className="bulk-line">
        <span aria-live="polite">{t('bulk.selected', { count: rows.length })}</span>
        {progress ? <BulkProgress progress={progress} onStop={stop} /> : null}
        {actions.map((action) => (
          <Button
            key={action.label}
            size="small"
            status={action.isDanger ? 'danger' : undefined}
            // A disabled button cannot have the focus, which would start at the top of the page. What is running takes no press.
            disabled={!isRunning && rows.length === 0}
            aria-disabled={isRunning || undefined}
            className={isRunning ? 'arco-btn-disabled' : undefined}
            onClick={() => void run(action)}
          >
            {action.label}
          </Button>
        ))}
        <IconButton icon={<IconClose />} label={t('bulk.clear')} size="small" onClick={clear} />
      </div>
      {failures.length > 0 ? (
        <ul className="bulk-failures" role="alert">
          {failures.map(({ name, message }, at) => (
            <li key={at}>
              <strong>{name}</strong> {message}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

interface Progress {
  done: number
  total: number
  /** Until the gateway takes calls again. */
  waitSeconds?: number | undefined
}

function wordsOf({ done, total, waitSeconds }: Progress, t: Texts): string {
  const words = t('bulk.progress', { done, total })
  return waitSeconds === undefined
    ? words
    : `${words} ${t('bulk.waiting', { seconds: waitSeconds })}`
}

function BulkProgress({ progress, onStop }: { progress: Progress; onStop(): void }) {
  const t = useTexts()
  return (
    <>
      <span className="muted number" role="status">
        {wordsOf(progress, t)}
      </span>
      <Button size="small" onClick={onStop}>
        {t('bulk.stop')}
      </Button>
    </>
  )
}

/** What is left of a run would end with the window, and with the session. @returns the disposer */
function guardRun(control: AbortController): () => void {
  const ask = (event: Event) => event.preventDefault()
  window.addEventListener('beforeunload', ask)
  const caller = callerId()
  const unsubscribe = useSession.subscribe(() => callerId() !== caller && control.abort())
  return () => {
    window.removeEventListener('beforeunload', ask)
    unsubscribe()
  }
}

/** A run goes on when its table is left. Its progress and failures are then told above whatever page is shown. */
function useTold(t: Texts) {
  const [topic] = useState(() => `bulk:${++runs}`)
  const isGone = useRef(false)
  const latest = useRef<Progress>(undefined)
  const tell = () => {
    const { current } = latest
    if (isGone.current && current) toast.running(() => wordsOf(current, t), topic)
  }
  const tellNow = useRef(tell)
  useEffect(() => {
    isGone.current = false
    const { current: tellAway } = tellNow
    return () => {
      isGone.current = true
      tellAway()
    }
  }, [])
  return {
    isGone,
    topic,
    progress: (progress: Progress | undefined) => {
      latest.current = progress
      tell()
    },
    failures: (failed: readonly Failure[], total: number) => {
      if (!isGone.current || failed.length === 0) return
      const names = failed.slice(0, namedAtMost).map(({ name }) => name)
      const values = { failed: failed.length, total, names: names.join(', ') }
      toast.error(() => t('bulk.failed', values), topic)
    },
  }
}

let runs = 0

/** Asks, runs the action over all rows, and keeps what failed until the next one. */
function useBulkRun<T>(props: BulkBarProps<T>) {
  const { rows, nameOf, onClear, onDone } = props
  const t = useTexts()
  const [failures, setFailures] = useState<Failure[]>([])
  const { runEach, stop, progress, end, topicAway } = useRunEach(props)
  const [run, isRunning] = useAction(async (action: BulkAction<T>) => {
    const { confirm: question, isDanger } = action
    const ask = (asked: ConfirmOptions) =>
      isDanger ? askedOfRows(asked, rows.map(nameOf), t) : asked
    if (question && !(await confirm(() => ask(question(rows))))) return
    setFailures([])
    try {
      const { failed, isStopped } = action.runEach ? await runEach(action.runEach) : whole
      setFailures(failed)
      if (isStopped) return
      const sentence = await action.run?.(rows)
      if (sentence === false) return
      if (sentence) toast.success(sentence)
      else if (failed.length === 0)
        toast.success(() => t('bulk.done', { count: rows.length }), topicAway())
      if (failed.length === 0) onClear()
    } finally {
      await onDone()
      end()
    }
  })
  const clear = () => {
    setFailures([])
    onClear()
  }
  return { run, stop, isRunning, progress, failures, clear }
}

/** One call for each row: how far it is, and what stops it. */
function useRunEach<T>({ rows, nameOf }: BulkBarProps<T>) {
  const t = useTexts()
  // A test of many channels takes minutes.
  const [progress, setProgress] = useState<Progress>()
  const stopping = useRef<AbortController>(undefined)
  const told = useTold(t)
  const topicAway = () => (told.isGone.current ? told.topic : undefined)
  const runEach = async (work: (row: T) => Promise<unknown>) => {
    const control = new AbortController()
    stopping.current = control
    const total = rows.length
    let current: Progress = { done: 0, total }
    const show = (changes: Partial<Progress>) => {
      current = { ...current, ...changes }
      setProgress(current)
      told.progress(current)
    }
    show({})
    const release = guardRun(control)
    const failed = await runForEach(rows, nameOf, work, (done) => show({ done }), {
      signal: control.signal,
      onWait: (waitSeconds) => show({ waitSeconds }),
    }).finally(release)
    told.progress(undefined)
    const isStopped = current.done < total
    if (isStopped) toast.info(() => t('bulk.stopped', { done: current.done, total }), topicAway())
    else told.failures(failed, total)
    return { failed, isStopped }
  }
  return {
    runEach,
    stop: () => stopping.current?.abort(),
    progress,
    end: () => setProgress(undefined),
    topicAway,
  }
}
