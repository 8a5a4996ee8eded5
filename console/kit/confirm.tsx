import { Input } from '@arco-design/web-react'
import { type ReactNode, useId, useState } from 'react'
import { create } from 'zustand'
import { useTexts } from '../texts/use-texts.ts'
import { Dialog } from './dialog.tsx'

export interface ConfirmOptions {
  title: string
  /** Says what will be lost, with its name. */
  content?: ReactNode
  /** A verb: "Delete channel". */
  confirmLabel: string
  cancelLabel?: string
  isDanger?: boolean
  /** For actions that cannot be undone: this text must be typed before the button works. */
  typeToConfirm?: string
}

/** A function says it in the language that is shown, also where that changes while the question is open. */
export type Confirmation = ConfirmOptions | (() => ConfirmOptions)

interface Question {
  /** Of the order in which they were asked: another question begins with nothing typed. */
  number: number
  ask: Confirmation
  answer(isConfirmed: boolean): void
}

let asked = 0

const useQuestion = create<{ question: Question | undefined }>()(() => ({ question: undefined }))

/** Shows the question and resolves to whether the user agreed. Aborting `signal` closes the question with a no. */
export function confirm(ask: Confirmation, signal?: AbortSignal): Promise<boolean> {
  // Its event is over, and would never come.
  if (signal?.aborted) return Promise.resolve(false)
  useQuestion.getState().question?.answer(false)
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      // A signal that is aborted late must not close a later question.
      if (useQuestion.getState().question?.answer === answer)
        useQuestion.setState({ question: undefined })
      resolve(isConfirmed)
    }
    useQuestion.setState({ question: { number: asked++, ask, answer } })
    signal?.addEventListener('abort', () => answer(false), { once: true })
  })
}

/** The session now belongs to another user, who must not answer the open question. */
export function takeBackQuestion(): void {
  useQuestion.getState().question?.answer(false)
}

/** Rendered once, in the shell, so that a dialog has the language, theme and router. */
export function ConfirmHost() {
  const { question } = useQuestion()
  return question ? <ConfirmDialog key={question.number} {...question} /> : null
}

function ConfirmDialog({ ask, answer }: Question) {
  // Also what has it drawn again in another language.
  const t = useTexts()
  const { title, content, ...options } = typeof ask === 'function' ? ask() : ask
  const [typed, setTyped] = useState('')
  const id = useId()
  const isLocked = options.typeToConfirm !== undefined && typed.trim() !== options.typeToConfirm
  return (
    <Dialog
      title={title}
      okText={options.confirmLabel}
      cancelText={options.cancelLabel ?? t('cancel')}
      okButtonProps={{ status: options.isDanger ? 'danger' : undefined, disabled: isLocked }}
      onOk={() => answer(true)}
      onClose={() => answer(false)}
    >
      {content ? <div className="dialog-words">{content}</div> : null}
      {options.typeToConfirm === undefined ? null : (
        <label className="dialog-type" htmlFor={id}>
          {t('confirm.type', { name: options.typeToConfirm })}
          <Input
            id={id}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            onPressEnter={() => !isLocked && answer(true)}
          />
        </label>
      )}
    </Dialog>
  )
}
