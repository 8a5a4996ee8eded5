import { Button } from '@arco-design/web-react'
import { IconClose } from '@arco-design/web-react/icon'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { formatExact } from '../../format/quota.ts'
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
        {progress ? <BulkProgress {...progress} onStop={stop} /> : null}
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

function BulkProgress({ done, total, waitSeconds, onStop }: Progress & { onStop(): void }) {
  const t = useTexts()
  return (
    <>
      <span className="muted number" role="status">
        {t('bulk.progress', { done, total })}
        {waitSeconds === undefined ? null : ` ${t('bulk.waiting', { seconds: waitSeconds })}`}
      </span>
      <Button size="small" onClick={onStop}>
        {t('bulk.stop')}
      </Button>
    </>
  )
}

/** What is left of a run would end with the page. */
function useStayQuestion(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return undefined
    const ask = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isRunning])
}

/** Asks, runs the action over all rows, and keeps what failed until the next one. */
function useBulkRun<T>({ rows, nameOf, onClear, onDone }: BulkBarProps<T>) {
  const t = useTexts()
  const [failures, setFailures] = useState<Failure[]>([])
  // A test of many channels takes minutes.
  const [progress, setProgress] = useState<Progress>()
  const stopping = useRef<AbortController>(undefined)
  useStayQuestion(progress !== undefined)
  const runEach = async (work: (row: T) => Promise<unknown>) => {
    stopping.current = new AbortController()
    const { signal } = stopping.current
    const total = rows.length
    let done = 0
    let waitSeconds: number | undefined
    const show = () => setProgress({ done, total, waitSeconds })
    show()
    const count = (number: number) => {
      done = number
      show()
    }
    const onWait = (seconds: number | undefined) => {
      waitSeconds = seconds
      show()
    }
    const failed = await runForEach(rows, nameOf, work, count, { signal, onWait })
    const isStopped = done < total
    if (isStopped) toast.info(() => t('bulk.stopped', { done, total }))
    return { failed, isStopped }
  }
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
      else if (failed.length === 0) toast.success(t('bulk.done', { count: rows.length }))
      if (failed.length === 0) onClear()
    } finally {
      await onDone()
      setProgress(undefined)
    }
  })
  const clear = () => {
    setFailures([])
    onClear()
  }
  return { run, stop: () => stopping.current?.abort(), isRunning, progress, failures, clear }
}
